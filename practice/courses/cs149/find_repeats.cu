int find_repeats(const int *input, int n, int *output)
{
    /* yours */
    return 0;
}
