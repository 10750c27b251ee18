package org.aspas.emulab.gatling;

import java.util.random.RandomGenerator;
import org.aspas.emulab.gatling.FeedOperation.Action;

/**
 * The social feed: hot posts with views, likes and comments, and authors with followers. Immutable.
 *
 * <p>A post has so many different comments at most, and an author so many followers, so that the objects do not grow
 * without end.
 */
final class Feed {
    /** How many different comments a post can have. */
    static final int COMMENTS = 20;

    private static final int FOLLOWERS = 100;

    private final FeedMix mix;
    private final HotPosts posts;
    private final String padding;

    /**
     * A feed.
     *
     * @param mix how often users do what
     * @param posts how many posts there are, from 1
     * @param payload the length of a comment in bytes, from 16
     */
    Feed(FeedMix mix, int posts, int payload) {
        this.mix = mix;
        this.posts = new HotPosts(posts);
        this.padding = "x".repeat(payload);
    }

    /** What a user does next. */
    FeedOperation next(RandomGenerator random) {
        Action action = mix.next(random);
        String element = switch (action) {
            case COMMENT -> padded("comment " + random.nextInt(COMMENTS) + " ");
            case FOLLOW -> "user " + random.nextInt(FOLLOWERS);
            default -> "";
        };
        return new FeedOperation(action, action.key(posts.next(random)), element);
    }

    private String padded(String begin) {
        return begin + padding.substring(begin.length());
    }
}
