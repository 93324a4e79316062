void exclusive_scan(const int *input, int n, int *result)
{
    /* yours */
}
