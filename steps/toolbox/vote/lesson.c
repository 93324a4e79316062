/* lesson.c: the variants of this topic, in the order of the table. */
#include "lesson.h"

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
    .variants = variants,
};
