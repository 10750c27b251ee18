package org.aspas.certify.bound;

/**
 * Exponential backoff: a pause that doubles with each failure in a row, up to a bound. Immutable; whoever waits keeps the
 * present one. All three are in one unit, which is the caller's.
 *
 * @param first the pause after the first failure, from 1
 * @param longest the bound, at least {@code first}
 * @param pause the pause after the next failure
 */
public record Backoff(long first, long longest, long pause) {
    public Backoff {
        if (first < 1 || pause < first || longest < pause) {
            throw new IllegalArgumentException("a pause of " + pause + " is not between " + first + " and " + longest);
        }
    }

    public static Backoff of(long first, long longest) {
        return new Backoff(first, longest, first);
    }

    /**
     * The backoff before any failure, with a bound that follows from the first pause.
     *
     * @param times how many times as long the longest pause is, from 1
     */
    public static Backoff upTo(long first, int times) {
        return of(first, first > Long.MAX_VALUE / times ? Long.MAX_VALUE : first * times);
    }

    public Backoff next() {
        return new Backoff(first, longest, pause > longest / 2 ? longest : 2 * pause);
    }

    public Backoff reset() {
        return of(first, longest);
    }
}
