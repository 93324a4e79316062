// Tiled matrix multiplication with a struct of height, width and elements passed by value.
#include <cstdlib>
#include <iostream>

template<typename T>
struct Matrix {
    int width;
    int height;
    int stride;
    T* elements;

    __host__ __device__ T& at(int row, int col) { return elements[row * stride + col]; }
    __host__ __device__ const T& at(int row, int col) const { return elements[row * stride + col]; }
};

template<int BLOCK_SIZE, typename T>
__global__ void __launch_bounds__(BLOCK_SIZE * BLOCK_SIZE)
MatMulKernel(Matrix<T> A, Matrix<T> B, Matrix<T> C)
{
    __shared__ T As[BLOCK_SIZE][BLOCK_SIZE];
    __shared__ T Bs[BLOCK_SIZE][BLOCK_SIZE];
    int row = threadIdx.y, col = threadIdx.x;
    int gr = blockIdx.y * BLOCK_SIZE + row, gc = blockIdx.x * BLOCK_SIZE + col;
    T Cvalue = 0;

    for (int m = 0; m < (A.width + BLOCK_SIZE - 1) / BLOCK_SIZE; ++m) {
        int ac = m * BLOCK_SIZE + col, br = m * BLOCK_SIZE + row;
        As[row][col] = gr < A.height && ac < A.width ? A.at(gr, ac) : T(0);
        Bs[row][col] = br < B.height && gc < B.width ? B.at(br, gc) : T(0);
        __syncthreads();
        #pragma unroll
        for (int e = 0; e < BLOCK_SIZE; ++e)
            Cvalue += As[row][e] * Bs[e][col];
        __syncthreads();
    }
    if (gr < C.height && gc < C.width)
        C.at(gr, gc) = Cvalue;
}

template<typename T> Matrix<T> on_host(int height, int width)
{
    return Matrix<T>{width, height, width, new T[height * width]};
}
template<typename T> Matrix<T> on_device(const Matrix<T>& h)
{
    Matrix<T> d = h;
    cudaMalloc(&d.elements, d.width * d.height * sizeof(T));
    cudaMemcpy(d.elements, h.elements, d.width * d.height * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

template<int BLOCK_SIZE, typename T> bool multiply(int m, int k, int n)
{
    Matrix<T> A = on_host<T>(m, k), B = on_host<T>(k, n), C = on_host<T>(m, n);
    for (int i = 0; i < m * k; i++) A.elements[i] = rand() % 7 - 3;
    for (int i = 0; i < k * n; i++) B.elements[i] = rand() % 5 - 2;
    Matrix<T> dA = on_device(A), dB = on_device(B), dC = on_device(C);

    dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
    dim3 dimGrid((n + dimBlock.x - 1) / dimBlock.x, (m + dimBlock.y - 1) / dimBlock.y);
    MatMulKernel<BLOCK_SIZE><<<dimGrid, dimBlock>>>(dA, dB, dC);
    cudaMemcpy(C.elements, dC.elements, m * n * sizeof(T), cudaMemcpyDeviceToHost);

    int wrong = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            T sum = 0;
            for (int e = 0; e < k; e++)
                sum += A.at(i, e) * B.at(e, j);
            wrong += sum != C.at(i, j);
        }
    cudaFree(dA.elements); cudaFree(dB.elements); cudaFree(dC.elements);
    delete[] A.elements; delete[] B.elements; delete[] C.elements;
    return wrong == 0 && cudaGetLastError() == cudaSuccess;
}

int main()
{
    bool ok = multiply<16, float>(40, 33, 50) && multiply<8, double>(17, 64, 9) && multiply<16, int>(16, 16, 16);
    std::cout << (ok ? "PASS" : "FAIL") << '\n';
    return !ok;
}
