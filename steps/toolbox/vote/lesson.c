/* lesson.c: what is right, and the variants of this topic, in the order of the table. */
#include "lesson.h"
#include "task.h"

static size_t count_rows(size_t n, size_t row)
{
    (void)row;
    return n / 32 + (n % 32 != 0);
}

static unsigned expected_ballot(const struct answer *a, size_t row, unsigned *lanes)
{
    unsigned votes = 0;
    *lanes = a->n - 32 * row < 32 ? (unsigned)(a->n - 32 * row) : 32;
    for (unsigned lane = 0; lane < *lanes; lane++)
        votes |= (unsigned)(a->in[32 * row + lane] > 0) << lane;
    return votes;
}

static void check_ballot(const struct answer *a, struct verdict *verdict)
{
    unsigned lanes;
    for (size_t row = 0; row < count_rows(a->n, 0); row++)
        expect_word(verdict, a->out, row, expected_ballot(a, row, &lanes));
}

static void check_any_all(const struct answer *a, struct verdict *verdict)
{
    unsigned lanes;
    for (size_t row = 0; row < count_rows(a->n, 0); row++) {
        unsigned votes = expected_ballot(a, row, &lanes);
        unsigned all = votes == 0xffffffff >> (32 - lanes);
        expect_word(verdict, a->out, row, (votes != 0) | all << 1);
    }
}

static void check_sums(const struct answer *a, struct verdict *verdict)
{
    for (size_t row = 0; row < count_rows(a->n, 0); row++) {
        uint32_t sum = 0;
        for (size_t i = 32 * row; i < 32 * row + 32 && i < a->n; i++)
            sum += word_at(a->in, i);
        expect_word(verdict, a->out, row, sum);
    }
}

const struct task vote_task = {
    .name = "vote",
    .words = count_rows,
    .check = check_ballot,
};

const struct task vote_any_all_task = {
    .name = "vote_any_all",
    .words = count_rows,
    .check = check_any_all,
};

const struct task redux_task = {
    .name = "redux",
    .words = count_rows,
    .check = check_sums,
};

extern const struct variant variant_vote, variant_vote_shared, variant_vote_groups,
    variant_vote_any_all, variant_vote_any_all_shared, variant_vote_any_all_groups, variant_redux,
    variant_redux_shuffle, variant_redux_shared, variant_redux_groups;

static const struct variant *const variants[] = {
    &variant_vote,
    &variant_vote_shared,
    &variant_vote_groups,
    &variant_vote_any_all,
    &variant_vote_any_all_shared,
    &variant_vote_any_all_groups,
    &variant_redux,
    &variant_redux_shuffle,
    &variant_redux_shared,
    &variant_redux_groups,
    NULL,
};

const struct lesson lesson = {
    .name = "vote",
    .idea = "what all lanes say, in one word that each of them gets",
    .in_chinese = "投票与选举",
    .variants = variants,
};
