package org.aspas.emulab.gatling;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.client.api.Tolerance;

/**
 * Which users have which τ: one for all, or shares as in the paper's Table 1.
 *
 * @param text as the user wrote it
 * @param byPercent the τ of each of a hundred users in turn, 0 for unbounded
 */
record ToleranceShares(String text, List<Long> byPercent) {
    private static final Pattern TAU = Pattern.compile("[1-9][0-9]{0,8}|unbounded");
    private static final Pattern SHARE = Pattern.compile("([1-9][0-9]{0,8}|unbounded)=([0-9]{1,3})");
    private static final int WHOLE = 100;

    /** Prime to 100 and near its golden section, so that neighbours lie far apart. */
    private static final int SPREAD = 61;

    ToleranceShares {
        byPercent = List.copyOf(byPercent);
    }

    /**
     * Reads {@code 1000}, {@code unbounded}, or shares in percent such as {@code 1=3,1000=30,unbounded=67}.
     *
     * @throws IllegalArgumentException when it is none of them; the message says what is wrong
     */
    static ToleranceShares parse(String text) {
        List<Long> byPercent = new ArrayList<>();
        if (TAU.matcher(text).matches()) {
            add(byPercent, text, WHOLE);
            return new ToleranceShares(text, byPercent);
        }
        for (String part : text.split(",", -1)) {
            Matcher share = SHARE.matcher(part);
            if (!share.matches()) {
                throw new IllegalArgumentException("'" + part
                        + "' is no τ: a number from 1, unbounded, or shares such as 1=3,1000=30,unbounded=67");
            }
            add(byPercent, share.group(1), Integer.parseInt(share.group(2)));
        }
        if (byPercent.size() != WHOLE) {
            throw new IllegalArgumentException("the shares of τ are " + byPercent.size() + " %, not 100 %");
        }
        return new ToleranceShares(text, byPercent);
    }

    private static void add(List<Long> byPercent, String tau, int percent) {
        byPercent.addAll(Collections.nCopies(percent, Tolerance.parse(tau)));
    }

    /**
     * The τ of a user, such that any hundred in a row have the shares, and any few nearly so.
     *
     * @param user its number, from 0
     * @return from 1, or 0 for unbounded
     */
    long of(long user) {
        return byPercent.get((int) (user * SPREAD % WHOLE));
    }
}
