package org.aspas.emulab.gatling;

import static io.gatling.javaapi.core.CoreDsl.doIf;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.repeat;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.aspas.emulab.gatling.FeedOperation.Action;

/** What one virtual user does from its arrival to its end, whichever way it talks to its server. */
abstract class FeedScript {
    /** How long a user waits for an answer. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The group of all measured updates. */
    static final String UPDATES = "updates";

    /** The group of all measured reads. */
    static final String READS = "reads";

    /** Users of the closed model stay a while after the end, or Gatling would put new ones in their places. */
    private static final Duration STAY = Duration.ofSeconds(2);

    /** After a failure a user rests before it leaves, or a server that is gone would be asked without a pause. */
    private static final Duration REST = Duration.ofSeconds(1);

    private static final String VISITOR = "visitor";

    /** A virtual user. Confined to its event loop. */
    static final class Visitor {
        final int server;
        final long number;
        final SplittableRandom random;
        FeedOperation operation;
        private long begunNanos;

        Visitor(int server, long number, SplittableRandom random, FeedOperation first) {
            this.server = server;
            this.number = number;
            this.random = random;
            this.operation = first;
        }

        private void begin(FeedOperation next) {
            operation = next;
            begunNanos = System.nanoTime();
        }

        /** Whether the present operation began a short while ago. */
        boolean isPatient() {
            return System.nanoTime() - begunNanos < PATIENCE.toNanos();
        }
    }

    final FeedPlan plan;
    private final RunClock clock;
    private final Feed feed;

    FeedScript(FeedPlan plan, RunClock clock) {
        this.plan = plan;
        this.clock = clock;
        FeedPlan.Content content = plan.content();
        this.feed = new Feed(content.mix(), content.posts(), content.payload());
    }

    final ChainBuilder visit() {
        FeedPlan.Load load = plan.load();
        Duration pace = load.pace();
        ChainBuilder stay = load.users().isPresent()
                ? pause(session -> first(session, pace))
                        .asLongAs(session -> clock.runs())
                        .on(paced(pace))
                        .pause(STAY)
                : repeat(load.operations()).on(operation());
        ChainBuilder whole = exec(arrive()).exec(leaveIfLost()).exec(stay).exec(leave());
        return exec(this::enter).doIf(session -> clock.runs()).then(whole);
    }

    private ChainBuilder paced(Duration pace) {
        return pace.isZero() ? operation() : pace(pace).exec(operation());
    }

    /** Users that come together would otherwise begin each operation together. */
    private static Duration first(Session session, Duration pace) {
        return Duration.ofNanos((long) (visitor(session).random.nextDouble() * pace.toNanos()));
    }

    private ChainBuilder operation() {
        return exec(this::choose)
                .exec(group(session ->
                                clock.group(visitor(session).operation.action().update() ? UPDATES : READS))
                        .on(perform()))
                .exec(leaveIfLost());
    }

    private ChainBuilder leaveIfLost() {
        return doIf(this::lost).then(pause(REST)).exitHereIf(this::lost);
    }

    private Session enter(Session session) {
        clock.userComes();
        long number = session.userId() - 1;
        SplittableRandom random = new SplittableRandom(plan.content().seed() * 31 + number);
        int server = plan.target().serverOf(number);
        return session.set(VISITOR, new Visitor(server, number, random, feed.next(random)));
    }

    private Session choose(Session session) {
        Visitor visitor = visitor(session);
        visitor.begin(feed.next(visitor.random));
        return session;
    }

    static Visitor visitor(Session session) {
        Visitor visitor = session.get(VISITOR);
        if (visitor == null) {
            throw new IllegalStateException("the user has not entered");
        }
        return visitor;
    }

    /** Makes the user ready for its first operation. */
    abstract ChainBuilder arrive();

    /** Performs {@link Visitor#operation}. */
    abstract ChainBuilder perform();

    /** Ends what {@link #arrive} began. */
    abstract ChainBuilder leave();

    /** Whether the user cannot go on. */
    abstract boolean lost(Session session);

    /**
     * The social feed, with the objects, shares and sizes of {@code bench --workload feed}: hot posts with views, likes and
     * comments, and as many users, who follow others. Immutable.
     */
    static final class Feed {
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

        /**
         * A zipfian choice among posts: the k-th most popular one is chosen in proportion to 1/k^0.99, the exponent that YCSB has too
         * (Cooper et al., SoCC 2010, §5.2). Immutable.
         */
        static final class HotPosts {
            private static final double EXPONENT = 0.99;

            private final double[] cumulative;

            /** A choice among so many posts, from 1. */
            HotPosts(int posts) {
                cumulative = new double[posts];
                double sum = 0;
                for (int post = 0; post < posts; post++) {
                    sum += Math.pow(post + 1.0, -EXPONENT);
                    cumulative[post] = sum;
                }
            }

            /** A post, from 0; the lower the number, the hotter. */
            int next(RandomGenerator random) {
                double drawn = random.nextDouble() * cumulative[cumulative.length - 1];
                int found = Arrays.binarySearch(cumulative, drawn);
                return Math.min(cumulative.length - 1, found < 0 ? -found - 1 : found + 1);
            }
        }
    }
}
