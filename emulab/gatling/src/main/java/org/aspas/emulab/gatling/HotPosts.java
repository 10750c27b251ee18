package org.aspas.emulab.gatling;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A zipfian choice among posts: the k-th most popular one is chosen in proportion to 1/k^0.99, the exponent that YCSB has too
 * (Cooper et al., SoCC 2010, §5.2). Immutable.
 */
final class HotPosts {
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
