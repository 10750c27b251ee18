package org.aspas.certify.signer;

import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.certify.certificate.ProvenContentVerifier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.signer.RecordItem.Locked;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Share;

/** What a record lets its replica accept, commit to and sign: the rules of {@link CertificateSigner}. Not thread-safe. */
final class RecordRules {
    /** Stands for a commitment of 2b+1 replicas, which no later attempt replaces. */
    private static final long FINAL = Long.MAX_VALUE;

    private final RecordState state;
    private final ProvenContentVerifier verifier;
    private final Consumer<RecordItem> append;
    private long refusals;

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

    /**
     * Whether it signed another content of this number, so that it accepts this one never. That is no fault of an order that has not
     * heard yet of the proof in this record; otherwise it is counted as refused.
     */
    boolean signedBeside(Decided decided) {
        ProvenContent shown = decided.earlier();
        return signedBeside(decided.content().number(), decided.hash(), shown == null ? 0 : shown.attempt());
    }

    private boolean signedBeside(CertificateNumber number, Hash content, long proven) {
        Optional<Share> signed = state.share(number);
        boolean other = signed.isPresent() && !signed.get().content().identity().equals(content);
        if (other && proven >= held(number)) {
            refusals++;
        }
        return other;
    }

    /** The attempt of the proof that this record holds; 0 without one. */
    private long held(CertificateNumber number) {
        return state.proven(number).map(ProvenContent::attempt).orElse(0L);
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
        if (!mayTouch(number) || signedBeside(number, proven.hash(), proven.attempt()) || !right(proven)) {
            return false;
        }
        if (held(number) < proven.attempt() && state.attempt(number) <= proven.attempt()) {
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
        if (!mayTouch(proven.number()) || signedBeside(proven.number(), proven.hash(), FINAL) || !right(proven)) {
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
