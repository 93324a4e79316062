// Kernels with parameters that are references, to managed memory: objects that allocate themselves there.
#include <cstdio>
#include <cstring>

struct managed {
    void *operator new(size_t bytes)
    {
        void *p;
        cudaMallocManaged(&p, bytes);
        return p;
    }
    void operator delete(void *p) { cudaFree(p); }
};

struct text : managed {
    char *characters;
    int length;
    explicit text(const char *from) : length((int)strlen(from))
    {
        cudaMallocManaged(&characters, length + 1);
        memcpy(characters, from, length + 1);
    }
    text(const text &) = delete;
    ~text() { cudaFree(characters); }
};

__global__ void capitals(text &t, int from)
{
    const int i = from + threadIdx.x;
    if (i < t.length && t.characters[i] >= 'a' && t.characters[i] <= 'z')
        t.characters[i] -= 'a' - 'A';
}

__global__ void copies(const text &from, char (&to)[32]) { to[threadIdx.x] = (int)threadIdx.x <= from.length ? from.characters[threadIdx.x] : 0; }

__managed__ char result[32];

int main()
{
    text *t = new text("hello, world");
    capitals<<<1, 32>>>(*t, 5);
    copies<<<1, 32>>>(*t, result);
    cudaDeviceSynchronize();
    printf("%s\n", result);
    const int wrong = strcmp(result, "hello, WORLD") != 0;
    delete t;
    return wrong;
}
