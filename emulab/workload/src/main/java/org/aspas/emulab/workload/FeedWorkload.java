package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

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

    /** Chooses what users of a feed do, for each client from a seed of its own. */
    private static final class FeedSource implements OperationSource {
        /** The exponent of YCSB's zipfian requests. */
        private static final double SKEW = 0.99;

        /** The sets stay this large, in bytes, whatever the length of comments is. */
        private static final int SET_BYTES = 64 * 1024;

        private static final int MOST_ELEMENTS = 100;

        private final FeedWorkload feed;
        private final int comments;
        private final double[] upTo;
        private final List<Random> random = new ArrayList<>();

        FeedSource(FeedWorkload feed, int clients, long seed) {
            this.feed = feed;
            this.comments = Math.max(1, Math.min(MOST_ELEMENTS, SET_BYTES / feed.commentBytes()));
            this.upTo = zipfian(feed.posts());
            for (int client = 0; client < clients; client++) {
                random.add(new Random(seed * 31 + client));
            }
        }

        /** The probability of each post and all hotter ones together. */
        private static double[] zipfian(int posts) {
            double[] upTo = new double[posts];
            double sum = 0;
            for (int post = 0; post < posts; post++) {
                sum += 1 / Math.pow(post + 1.0, SKEW);
                upTo[post] = sum;
            }
            for (int post = 0; post < posts; post++) {
                upTo[post] /= sum;
            }
            return upTo;
        }

        private int hot(Random chance) {
            int found = Arrays.binarySearch(upTo, chance.nextDouble());
            return Math.min(found < 0 ? -found - 1 : found, upTo.length - 1);
        }

        @Override
        public ChosenOperation next(int client) {
            Random chance = random.get(client);
            String post = Integer.toString(hot(chance));
            int percent = chance.nextInt(100);
            if (percent < 40) {
                return operation(OperationKind.READ, ObjectKind.SETS, "feed/comments/" + post, "");
            } else if (percent < 60) {
                return operation(OperationKind.READ, ObjectKind.COUNTERS, "feed/likes/" + post, "");
            } else if (percent < 85) {
                return operation(OperationKind.UPDATE, ObjectKind.COUNTERS, "feed/views/" + post, "");
            } else if (percent < 95) {
                return operation(OperationKind.UPDATE, ObjectKind.COUNTERS, "feed/likes/" + post, "");
            } else if (percent < 98) {
                String comment = Elements.padded("c" + chance.nextInt(comments), feed.commentBytes());
                return operation(OperationKind.UPDATE, ObjectKind.SETS, "feed/comments/" + post, comment);
            }
            String follower = "feed/follows/" + chance.nextInt(feed.posts());
            return operation(OperationKind.UPDATE, ObjectKind.SETS, follower, "u" + hot(chance) % MOST_ELEMENTS);
        }

        private static ChosenOperation operation(OperationKind kind, ObjectKind object, String key, String element) {
            return new ChosenOperation(kind, object, key, element);
        }
    }
}
