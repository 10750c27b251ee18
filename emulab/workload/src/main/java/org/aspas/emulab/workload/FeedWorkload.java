package org.aspas.emulab.workload;

/**
 * A social feed: a few posts are hot (zipfian), and of a hundred operations on them 40 read a post's comments, 20 its number of
 * likes, 25 count a view, 10 a like, 3 write a comment and 2 let one user follow another. Likes and views are counters, the
 * comments of a post and the users that a user follows are sets.
 *
 * @param posts how many posts, and as many users, there are, from 1
 * @param commentBytes how long a comment is, in bytes, from 1
 */
public record FeedWorkload(int posts, int commentBytes) implements WorkloadDefinition {
    public FeedWorkload {
        if (posts < 1 || commentBytes < 1) {
            throw new IllegalArgumentException(posts + " posts and " + commentBytes + " bytes: both are at least 1");
        }
    }

    @Override
    public String label() {
        return "feed " + commentBytes + " B";
    }

    @Override
    public int records() {
        return posts;
    }

    @Override
    public OperationSource source(int clients, long seed) {
        return new FeedSource(this, clients, seed);
    }
}
