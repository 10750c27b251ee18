package org.aspas.certify.signer;

import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.certify.certificate.ProvenContentVerifier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.ProvenContent;
import org.aspas.certify.message.Share;
import org.aspas.certify.signer.RecordItem.Locked;

/** What a record lets its replica accept, commit to and sign: the rules of {@link CertificateSigner}. Not thread-safe. */
final class RecordRules {
    private final RecordState state;
    private final ProvenContentVerifier verifier;
    private final Consumer<RecordItem> append;
    private long refusals;

    /**
     * The rules over a record.
     *
     * @param append puts an item into the record
     */
    RecordRules(RecordState state, ProvenContentVerifier verifier, Consumer<RecordItem> append) {
        this.state = state;
        this.verifier = verifier;
        this.append = append;
    }

    long refusals() {
        return refusals;
    }

    boolean right(ProvenContent proven) {
        return verifier.wrong(proven).isEmpty();
    }

    /** Whether this replica takes part in a number at all. */
    boolean mayTouch(CertificateNumber number) {
        return state.knowing() && number.isAfter(state.floor());
    }

    /** Whether it takes part, and signed no other content of the number; to be asked for that is counted as refused. */
    private boolean mayTouch(CertificateNumber number, Hash content) {
        boolean other = mayTouch(number) && signedOther(number, content);
        if (other) {
            refusals++;
        }
        return mayTouch(number) && !other;
    }

    private boolean signedOther(CertificateNumber number, Hash content) {
        Optional<Share> signed = state.share(number);
        boolean other = signed.isPresent() && !signed.get().content().identity().equals(content);
        return other;
    }

    /** Whether it signed another content of this number, so that it accepts this one never. */
    boolean signedBeside(Decided decided) {
        boolean other = signedOther(decided.content().number(), decided.hash());
        if (other && !outdated(decided)) {
            refusals++;
        }
        return other;
    }

    /** Whether the order decided by an older proof than this record holds, of which it has not heard yet. */
    private boolean outdated(Decided decided) {
        ProvenContent shown = decided.earlier();
        Optional<ProvenContent> held = state.proven(decided.content().number());
        return shown != null && held.isPresent() && shown.attempt() < held.get().attempt();
    }

    /** Whether this record has nothing against another content than the one it committed to, if that is another. */
    boolean unlocked(Decided decided) {
        Optional<ProvenContent> held = state.proven(decided.content().number());
        if (held.isEmpty() || held.get().hash().equals(decided.hash())) {
            return true;
        }
        ProvenContent shown = decided.earlier();
        return shown != null
                && shown.hash().equals(decided.hash())
                && shown.attempt() > held.get().attempt()
                && right(shown);
    }

    /** Makes a proof durable if it may be; whether it is the one that is held. */
    boolean hold(ProvenContent proven) {
        CertificateNumber number = proven.number();
        if (!mayTouch(number, proven.hash()) || !right(proven)) {
            return false;
        }
        long held = state.proven(number).map(ProvenContent::attempt).orElse(0L);
        if (held < proven.attempt() && state.attempt(number) <= proven.attempt()) {
            append.accept(new Locked(proven));
            return true;
        }
        return holds(number, proven.attempt(), proven.hash());
    }

    /** Whether the proof of a content from an attempt is the one that is held. */
    boolean holds(CertificateNumber number, long attempt, Hash content) {
        return state.proven(number)
                .filter(held -> held.attempt() == attempt && held.hash().equals(content))
                .isPresent();
    }

    /** Whether a content that 2b+1 committed to may be signed; if so, this record holds a proof of it from here on. */
    boolean maySign(ProvenContent proven) {
        if (!mayTouch(proven.number(), proven.hash()) || !right(proven)) {
            return false;
        }
        if (!holdForGood(proven)) {
            refusals++;
            return false;
        }
        return true;
    }

    /**
     * Makes the proof of a content that 2b+1 committed to durable, also where this replica accepted something in a later
     * attempt: no other content can be proved there any more. Whether it holds a proof of the content then; if not, it holds
     * a later one of another content, which takes more than b liars.
     */
    private boolean holdForGood(ProvenContent proven) {
        Optional<ProvenContent> held = state.proven(proven.number());
        if (held.isPresent() && held.get().attempt() >= proven.attempt()) {
            return held.get().hash().equals(proven.hash());
        }
        append.accept(new Locked(proven));
        return true;
    }
}
