// Mandelbrot set: the colouring is a template parameter, pixels are uchar4.
#include <iostream>
#include <vector>

template <typename T> struct complex {
    T re, im;
    __host__ __device__ constexpr complex(T r, T i) : re(r), im(i) {}
    __host__ __device__ complex operator*(const complex &o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    __host__ __device__ complex operator+(const complex &o) const { return {re + o.re, im + o.im}; }
    __host__ __device__ T norm2() const { return re * re + im * im; }
};

template <typename T>
__host__ __device__ int escape_time(complex<T> c, int max_iterations)
{
    complex<T> z(0, 0);
    int n = 0;
    while (n < max_iterations && z.norm2() <= T(4)) {
        z = z * z + c;
        ++n;
    }
    return n;
}

struct Grey {
    __host__ __device__ uchar4 operator()(int n, int max) const
    {
        unsigned char g = (unsigned char)(255 * n / max);
        return make_uchar4(g, g, g, 255);
    }
};
struct Bands {
    int width;
    __host__ __device__ uchar4 operator()(int n, int max) const
    {
        uchar4 c = {(unsigned char)(n % width * 16), 0, (unsigned char)(n == max ? 0 : 128), 255};
        return c;
    }
};

template <typename T, typename Colour>
__global__ void render(uchar4 *image, uint2 size, T scale, int max_iterations, Colour colour)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size.x && y < size.y)
        image[y * size.x + x] = colour(
            escape_time(complex<T>(T(x) * scale - T(2), T(y) * scale - T(1)), max_iterations), max_iterations);
}

template <typename T, typename Colour> bool test(uint2 size, Colour colour)
{
    const int max_iterations = 30;
    const T scale = T(2) / size.y;
    uchar4 *d_image;
    std::vector<uchar4> image(size.x * size.y);
    cudaMalloc(&d_image, image.size() * sizeof(uchar4));
    dim3 threads(32, 4);
    dim3 blocks((size.x + threads.x - 1) / threads.x, (size.y + threads.y - 1) / threads.y);
    render<T> <<<blocks, threads>>> (d_image, size, scale, max_iterations, colour);
    cudaMemcpy(image.data(), d_image, image.size() * sizeof(uchar4), cudaMemcpyDeviceToHost);
    cudaFree(d_image);
    size_t different = 0, inside = 0;
    for (unsigned y = 0; y < size.y; ++y)
        for (unsigned x = 0; x < size.x; ++x) {
            int n = escape_time(complex<T>(T(x) * scale - T(2), T(y) * scale - T(1)), max_iterations);
            uchar4 a = colour(n, max_iterations), b = image[y * size.x + x];
            different += a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w;
            inside += n == max_iterations;
        }
    std::cout << inside << " pixels inside, " << different << " different" << std::endl;
    return different <= image.size() / 100 && inside > 0;   // fused multiply-adds may move the edge
}

int main()
{
    bool ok = test<float>(make_uint2(90, 60), Grey());
    ok &= test<double>(uint2{60, 40}, Bands{7});
    return ok ? 0 : 1;
}
