/* chinese.h: where the environment's language is Chinese, the commonest findings once more in
   Chinese. practice/judge/chinese.py reads the same rows; docs/messages.zh-CN.md explains all. */
#pragma once

/* A part of the line, and what it means. The first row that fits counts. */
static inline const char *in_chinese(const char *line)
{
    static const char *const rows[][2] = {
        /* clang-format off */
        {"reads shared memory that no thread", "读到的共享内存还没有线程写过：写与读之间多半少了一个屏障"},
        {"reads global memory that no thread or copy has written", "读到的全局内存还没有写过：cudaMalloc() 得到的内存不是零"},
        {"volatile makes no lane wait", "数据竞争：volatile 不会让泳道等待，读与写之间要有 __syncwarp()"},
        {"no barrier between", "数据竞争：同一线程块的两个线程访问同一个字，其中一个写，两次访问之间没有屏障"},
        {"no barrier of the cluster between", "数据竞争：一个簇的两个线程块之间没有 cluster.sync()"},
        {"no barrier of the grid and no flag with fences between", "数据竞争：两个线程块之间没有规定先后：要再启动一次，或用原子操作、带内存栅栏的标志"},
        {"which is half in order", "数据竞争：读的一方有内存栅栏，写的一方在写标志之前没有"},
        {"and may get an older value", "可能读到旧值：写的一方和读的一方都要有 __threadfence()"},
        {"one of two such updates may be lost", "不是原子操作：两个线程同时这样更新，会丢掉一次；请用 atomicAdd()"},
        {"has returned without it", "有线程没有到达这个屏障就返回了：屏障多半写在了分支里"},
        {"waits at another", "同一线程块的线程停在不同的屏障：屏障写在了分支里"},
        {"in an ordinary launch", "普通启动不保证所有线程块同时驻留：要用 cudaLaunchCooperativeKernel()"},
        {"deadlock", "死锁：大家都在等待永远不会发生的事"},
        {"never ends", "死循环：循环的条件永远不变"},
        {"of dynamic shared memory", "越过了动态共享内存的末尾：下标太大，或者三尖括号的第三个参数太小"},
        {"device memory that was freed", "这块内存已经释放：cudaFree() 要放在最后一次使用之后"},
        {" of an allocation of ", "越过了这块内存的末尾：下标太大，或者少了对数组末尾的判断"},
        {" before an allocation of ", "在这块内存的开头之前：下标是负数"},
        {"device memory that is not allocated", "这里没有分配过设备内存"},
        {"neither device memory, shared memory nor its own", "核函数用了主机的指针：先把数据拷贝到设备内存"},
        {"no memory is there", "这里没有内存：多半是空指针"},
        {"misaligned", "地址没有对齐：float4 要求 16 的倍数"},
        {"is outside of an array", "下标超出了数组"},
        {"does not name the calling lane", "掩码里没有列出调用者自己"},
        {" names lane ", "掩码列出的泳道没有来：它已经返回，或者不存在"},
        {" reads lane ", "洗牌要读的泳道没有参加：读到的值是未定义的"},
        {"copy it with cudaMemcpy()", "主机代码直接使用了设备的指针：要用 cudaMemcpy() 拷贝"},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(line, rows[i][0]))
            return rows[i][1];
    return NULL;
}
