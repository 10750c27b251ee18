package org.aspas.certify.lag;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.aspas.certify.identity.Role;

/**
 * The steps from an answer to its confirmation. An appserver sees those of its own entries; they follow on each other and add up
 * to {@link #WHOLE}. What happens between the bftservers lies within {@link #ASKED} to {@link #CERTIFIED}, and they see it.
 */
public enum LagStep {
    /** The answer was released, until a head that covers the entry left. */
    BROADCAST(Role.APPSERVER, "answered to broadcast"),
    /** Until the own report that covers it left. */
    REPORTED(Role.APPSERVER, "broadcast to reported"),
    /** Until b+1 bftservers had asked for a state that covers it. */
    ASKED(Role.APPSERVER, "reported to asked"),
    /** Until the own STABLE that covers it left. */
    STABLE(Role.APPSERVER, "asked to answered"),
    /** Until 2b+1 bftservers had sent their signature of a certificate that covers it. */
    CERTIFIED(Role.APPSERVER, "answered to certified"),
    /** Until a confirmation with a certificate that covers it left. */
    CONFIRMED(Role.APPSERVER, "certified to confirmed"),
    /** All of these together: from the answer that left to the confirmation that left. */
    WHOLE(Role.APPSERVER, "answer to confirmation"),
    /** One content was committed to, until the next question was asked: while it is long, certification had nothing to do. */
    QUESTION(Role.BFTSERVER, "committed to asked"),
    /** The question was asked, until its answers had decided it. */
    DECIDED(Role.BFTSERVER, "asked to decided"),
    /** Until 2b+1 bftservers had accepted what was decided: 0 where the answers were alike, for then all three are ordered together. */
    ACCEPTED(Role.BFTSERVER, "decided to accepted"),
    /** Until 2b+1 had committed to it. */
    COMMITTED(Role.BFTSERVER, "accepted to committed"),
    /** The own ACCEPT left, until the own signature did: neither waits for the order where the answers were alike. */
    SIGNED(Role.BFTSERVER, "own accept to signed"),
    /** One command of this bftserver's own, from its submission until it came out ordered. */
    ORDERED(Role.BFTSERVER, "one command's order");

    private final Role seenBy;
    private final String label;

    LagStep(Role seenBy, String label) {
        this.seenBy = seenBy;
        this.label = label;
    }

    public Role seenBy() {
        return seenBy;
    }

    /** From what to what, in a few words for people. */
    public String label() {
        return label;
    }

    /** Its name for programs, such as {@code broadcast}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The steps that a tier sees, in their order. */
    public static List<LagStep> of(Role tier) {
        return Arrays.stream(values()).filter(step -> step.seenBy == tier).toList();
    }
}
