void saxpy(int n, float alpha, float *x, float *y, float *result)
{
    /* yours */
}
