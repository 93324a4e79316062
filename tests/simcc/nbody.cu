// All-pairs n-body as in GPU Gems 3, wrapped in a class.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#define EPS2 0.01f

__device__ float3
bodyBodyInteraction(float4 bi, float4 bj, float3 ai)
{
  float3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + EPS2;
  float invDist = rsqrtf(distSqr);
  float invDistCube = invDist * invDist * invDist;
  float s = bj.w * invDistCube;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  return ai;
}

__device__ float3
tile_calculation(float4 myPosition, float3 accel)
{
  extern __shared__ float4 shPosition[];
  for (int i = 0; i < blockDim.x; i++) {
    accel = bodyBodyInteraction(myPosition, shPosition[i], accel);
  }
  return accel;
}

__global__ void
calculate_forces(void *devX, void *devA, int N)
{
  extern __shared__ float4 shPosition[];
  float4 *globalX = (float4 *)devX;
  float4 *globalA = (float4 *)devA;
  float3 acc = {0.0f, 0.0f, 0.0f};
  int gtid = blockIdx.x * blockDim.x + threadIdx.x;
  float4 myPosition = globalX[gtid];
  for (int i = 0, tile = 0; i < N; i += blockDim.x, tile++) {
    int idx = tile * blockDim.x + threadIdx.x;
    shPosition[threadIdx.x] = globalX[idx];
    __syncthreads();
    acc = tile_calculation(myPosition, acc);
    __syncthreads();
  }
  // Save the result in global memory for the integration step.
  float4 acc4 = {acc.x, acc.y, acc.z, 0.0f};
  globalA[gtid] = acc4;
}

__global__ void integrate(float4 *x, float4 *v, const float4 *a, float dt)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = x[i], u = v[i], acc = a[i];
  u.x += acc.x * dt; u.y += acc.y * dt; u.z += acc.z * dt;
  p.x += u.x * dt;   p.y += u.y * dt;   p.z += u.z * dt;
  v[i] = u;
  x[i] = p;
}

class System {
public:
  explicit System(const std::vector<float4> &bodies) : n_(bodies.size()) {
    for (float4 **p : {&x_, &v_, &a_})
      require(cudaMalloc(p, n_ * sizeof(float4)), "cudaMalloc");
    require(cudaMemcpy(x_, bodies.data(), n_ * sizeof(float4), cudaMemcpyHostToDevice), "copy");
    require(cudaMemset(v_, 0, n_ * sizeof(float4)), "cudaMemset");
  }
  ~System() { cudaFree(x_); cudaFree(v_); cudaFree(a_); }
  System(const System &) = delete;
  System &operator=(const System &) = delete;

  void advance(float dt) {
    calculate_forces<<<n_ / p_, p_, p_ * sizeof(float4)>>>(x_, a_, n_);
    integrate<<<n_ / p_, p_>>>(x_, v_, a_, dt);
    require(cudaGetLastError(), "launch");
  }
  std::vector<float4> positions() const {
    std::vector<float4> out(n_);
    require(cudaMemcpy(out.data(), x_, n_ * sizeof(float4), cudaMemcpyDeviceToHost), "copy");
    return out;
  }

private:
  static void require(cudaError_t e, const char *what) {
    if (e != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(e));
  }
  size_t n_;
  unsigned p_ = 32;
  float4 *x_ = nullptr, *v_ = nullptr, *a_ = nullptr;
};

int main() try {
  std::vector<float4> bodies;
  for (int i = 0; i < 128; ++i) {
    float t = 0.1f * i;
    bodies.push_back(make_float4(cosf(t), sinf(t), 0.01f * (i - 64), 1.0f / 128));
  }
  System system(bodies);
  for (int k = 0; k < 3; ++k) system.advance(0.01f);

  // forces are equal and opposite: the centre of mass stays where it was
  double moved = 0, centre = 0;
  auto now = system.positions();
  for (size_t i = 0; i < now.size(); ++i) {
    centre += now[i].x - bodies[i].x;
    moved += std::fabs(now[i].x - bodies[i].x);
  }
  std::printf("moved %g, the centre %g\n", moved / now.size(), centre / now.size());
  return moved / now.size() > 1e-5 && std::fabs(centre) / now.size() < 1e-6 ? 0 : 1;
} catch (const std::exception &e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
