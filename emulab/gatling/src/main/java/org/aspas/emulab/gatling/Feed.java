package org.aspas.emulab.gatling;

import java.util.random.RandomGenerator;
import org.aspas.emulab.gatling.FeedOperation.Action;

/**
 * The social feed, with the objects, shares and sizes of {@code bench --workload feed}: hot posts with views, likes and
 * comments, and as many users, who follow others. Immutable.
 */
final class Feed {
    private static final int MOST_ELEMENTS = 100;

    /** The sets stay this large, in bytes, whatever the length of comments is. */
    private static final int SET_BYTES = 64 * 1024;

    private final FeedMix mix;
    private final int size;
    private final HotPosts posts;
    private final String padding;

    /**
     * A feed.
     *
     * @param size how many posts, and as many users, there are, from 1
     * @param payload the length of a comment in bytes, from 16
     */
    Feed(FeedMix mix, int size, int payload) {
        this.mix = mix;
        this.size = size;
        this.posts = new HotPosts(size);
        this.padding = ".".repeat(payload);
    }

    /** How many different comments a post can have. */
    int comments() {
        return Math.max(1, Math.min(MOST_ELEMENTS, SET_BYTES / padding.length()));
    }

    FeedOperation next(RandomGenerator random) {
        Action action = mix.next(random);
        return switch (action) {
            case COMMENT -> on(action, posts.next(random), padded("c" + random.nextInt(comments())));
            case FOLLOW -> on(action, random.nextInt(size), "u" + posts.next(random) % MOST_ELEMENTS);
            default -> on(action, posts.next(random), "");
        };
    }

    private static FeedOperation on(Action action, int number, String element) {
        return new FeedOperation(action, action.key(number), element);
    }

    private String padded(String begin) {
        return begin + padding.substring(begin.length());
    }
}
