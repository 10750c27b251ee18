package org.aspas.emulab.sim.model;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.jspecify.annotations.Nullable;

/** What a content must be after the one before it, its state root left out (docs/formats.md §8). */
final class ChainRules {
    private static final int CONTENT = 35;

    private final @Nullable CertificateContent before;
    private final Hash hashBefore;

    ChainRules(@Nullable CertificateContent before, Hash hashBefore) {
        this.before = before;
        this.hashBefore = hashBefore;
    }

    /** The hash of a content, which the next one names. */
    static Hash hash(CertificateContent content) {
        Cbor out = new Cbor()
                .array(8)
                .integer(CONTENT)
                .hash(content.deployment())
                .integer(content.number().value())
                .hash(content.previous())
                .version(content.version().toArray())
                .array(content.roots().size());
        content.roots().forEach(out::hash);
        out.hash(content.state()).array(content.exclusions().size());
        for (Exclusion one : content.exclusions()) {
            out.array(3).integer(one.origin()).integer(one.cut()).hash(one.evidence());
        }
        return Hash.of(Sha256.of(out.bytes()));
    }

    void check(CertificateContent content, Collection<PlacedEntry> added, Consumer<String> wrong) {
        String name = "certificate " + content.number();
        if (content.number().value() != (before == null ? 1 : before.number().value() + 1)) {
            wrong.accept(name + " is not the next one");
        }
        if (!content.previous().equals(hashBefore)) {
            wrong.accept(name + " does not name the one before it");
        }
        for (int origin = 0; origin < content.version().size(); origin++) {
            advance(content, origin, wrong);
        }
        exclusions(content, wrong);
        closure(content, added, wrong);
    }

    private void advance(CertificateContent content, int origin, Consumer<String> wrong) {
        if (before == null) {
            return;
        }
        long then = before.version().get(origin);
        long now = content.version().get(origin);
        if (now < then) {
            wrong.accept("certificate " + content.number() + " takes entries of appserver " + origin + " back");
        } else if (now == then
                && !content.roots().get(origin).equals(before.roots().get(origin))) {
            wrong.accept("certificate " + content.number() + " changes the log of appserver " + origin);
        }
    }

    private void exclusions(CertificateContent content, Consumer<String> wrong) {
        if (before != null && !content.exclusions().containsAll(before.exclusions())) {
            wrong.accept("certificate " + content.number() + " drops or changes an exclusion");
        }
        for (Exclusion one : content.exclusions()) {
            if (content.version().get(one.origin()) != one.cut()) {
                wrong.accept("certificate " + content.number() + " cuts appserver " + one.origin() + " at " + one.cut()
                        + ", and certifies another size");
            }
        }
    }

    /** Every entry comes with all that it depends on, which of an excluded origin ends at the cut. */
    private static void closure(CertificateContent content, Collection<PlacedEntry> added, Consumer<String> wrong) {
        Map<Integer, Long> cuts = new HashMap<>();
        content.exclusions().forEach(one -> cuts.put(one.origin(), one.cut()));
        for (PlacedEntry entry : added) {
            for (int origin = 0; origin < content.version().size(); origin++) {
                long needed = Math.min(entry.observed()[origin], cuts.getOrDefault(origin, Long.MAX_VALUE));
                if (needed > content.version().get(origin)) {
                    wrong.accept("certificate " + content.number() + " at " + content.version() + " has entry "
                            + entry.dot() + " and not " + origin + ":" + needed + ", on which it depends");
                }
            }
            if (!entry.faithful()) {
                wrong.accept("entry " + entry.dot() + " is not encoded as docs/formats.md says");
            }
        }
    }
}
