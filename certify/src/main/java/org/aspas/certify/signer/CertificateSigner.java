package org.aspas.certify.signer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.certify.certificate.ProvenContentVerifier;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Commit;
import org.aspas.certify.message.Epoch;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.ProvenContent;
import org.aspas.certify.message.Recover;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.certify.signer.RecordItem.AcceptedContent;
import org.aspas.certify.signer.RecordItem.Locked;
import org.aspas.certify.signer.RecordItem.Opened;
import org.aspas.certify.signer.RecordItem.SignedShare;
import org.jspecify.annotations.Nullable;

/**
 * What one replica does with the outcomes of the certification machine (the protocol page, docs/protocol.md §5.3, §5.5).
 * It issues every item of its durable record before the message that tells of it, and its {@link Outlet} lets the message
 * leave when the item is durable. Its rules, per number:
 *
 * <ol>
 *   <li>it accepts one content per attempt, and nothing in an attempt older than one that it accepted or committed in;
 *   <li>once it committed to a content, it accepts another one only when shown that 2b+1 accepted that one in a later
 *       attempt than its own proof;
 *   <li>it commits only to what 2b+1 signed ACCEPTs prove, and signs only that;
 *   <li>it signs one content for ever, whatever the ordering library did.
 * </ol>
 *
 * <p>Rule 4 alone makes two certificates with one number and different contents need more than b liars. Rules 1 to 3 make
 * sure that nobody correct is ever bound by its signature to a content that the others cannot sign; docs/protocol.md §5.5
 * has the argument. Not thread-safe: its owner calls it on one thread.
 */
public final class CertificateSigner {
    /** Where what it says goes. */
    public interface Outlet {
        /**
         * Appends an item to the durable record. Nothing that is said after it leaves before it is durable.
         *
         * @param item counts for this object from here on
         */
        void persist(RecordItem item);

        /** Submits a command to the order; delivery is best effort. */
        void submit(byte[] command);

        /** Sends a frame to all appservers; delivery is best effort. */
        void toAppservers(byte[] frame);
    }

    /** The longest pause between two sendings of a share, in calls of {@link #askAgain}. */
    private static final int LONGEST_PAUSE = 64;

    private final int replica;
    private final Sealer sealer;
    private final ProvenContentVerifier verifier;
    private final RecordState state;
    private final Outlet outlet;
    private final RecordRelearning relearning;
    private final Hash start;
    private final List<byte[]> proofs = new ArrayList<>();
    private byte @Nullable [] question;
    private @Nullable ProvenContent unsigned;
    private boolean joined;
    private long refusals;
    /** How often what may be lost was sent again since the last share. */
    private long pauses;

    /**
     * A signer at the start of its process.
     *
     * @param replica which bftserver this is
     * @param sealer signs with its key
     * @param members whose proofs count
     * @param record what this replica's own durable record holds; from here on this object changes it
     * @param start random and fresh for this start of the process
     * @param outlet where what it says goes
     */
    public CertificateSigner(
            int replica, Sealer sealer, Membership members, RecordState record, Hash start, Outlet outlet) {
        this.replica = replica;
        this.sealer = sealer;
        this.verifier = members.proofs();
        this.relearning = new RecordRelearning(members.quorums());
        this.state = record;
        this.start = start;
        this.outlet = outlet;
    }

    /** Carries out one outcome. The same outcome may come again. */
    public void on(Outcome outcome) {
        if (outcome instanceof Outcome.Ask ask) {
            reached(ask.epoch());
            byte[] frame = Codec.encode(sealer.seal(ask.message(replica)));
            question = frame;
            outlet.toAppservers(frame);
        } else if (outcome instanceof Decided decided) {
            accept(decided);
        } else if (outcome instanceof Outcome.Accepted accepted) {
            commit(accepted.proven());
        } else if (outcome instanceof ReadyToSign ready) {
            question = null;
            sign(ready.proven());
        } else if (outcome instanceof Outcome.Opened opened) {
            reached(opened.epoch());
        } else if (outcome instanceof Outcome.Recovered recovered) {
            recovered(recovered.statement());
        } else if (outcome instanceof Outcome.Convicted convicted) {
            byte[] proof = Codec.encode(convicted.evidence());
            proofs.add(proof);
            outlet.toAppservers(proof);
        } else if (outcome instanceof Outcome.Ticked ticked) {
            relearning.tick(ticked.k());
        }
    }

    private void append(RecordItem item) {
        state.apply(item);
        outlet.persist(item);
    }

    /** No appserver is asked in an epoch that the next life of the order might use again. */
    private void reached(Epoch epoch) {
        if (epoch.isAfter(state.epoch())) {
            append(new Opened(epoch));
        }
    }

    private void accept(Decided decided) {
        CertificateNumber number = decided.content().number();
        long attempt = decided.attempt();
        Hash hash = decided.hash();
        if (!mayTouch(number, hash)) {
            return;
        }
        if (!state.accepted(number, attempt, hash)) {
            if (state.attempt(number) >= attempt || !unlocked(decided)) {
                // The machine does not know what this record holds: it is told, and decides again.
                state(Hash.ZERO, number);
                return;
            }
            append(new AcceptedContent(number, attempt, decided.payload()));
        }
        submit(new Accept(replica, number, attempt, hash));
    }

    /** Whether this record has nothing against another content than the one it committed to, if that is another. */
    private boolean unlocked(Decided decided) {
        Optional<ProvenContent> held = state.proven(decided.content().number());
        if (held.isEmpty() || held.get().hash().equals(decided.hash())) {
            return true;
        }
        ProvenContent shown = decided.earlier();
        return shown != null
                && shown.hash().equals(decided.hash())
                && shown.attempt() > held.get().attempt()
                && verifier.wrong(shown).isEmpty();
    }

    private void commit(ProvenContent proven) {
        if (hold(proven)) {
            submit(new Commit(replica, proven.number(), proven.attempt(), proven.hash()));
        }
    }

    /** Makes a proof durable if it may be; whether it is the one that is held. */
    private boolean hold(ProvenContent proven) {
        CertificateNumber number = proven.number();
        if (!mayTouch(number, proven.hash()) || verifier.wrong(proven).isPresent()) {
            return false;
        }
        long held = state.proven(number).map(ProvenContent::attempt).orElse(0L);
        if (held < proven.attempt() && state.attempt(number) <= proven.attempt()) {
            append(new Locked(proven));
            return true;
        }
        return state.proven(number).filter(proof -> same(proof, proven)).isPresent();
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
        append(new Locked(proven));
        return true;
    }

    private static boolean same(ProvenContent one, ProvenContent other) {
        return one.attempt() == other.attempt() && one.hash().equals(other.hash());
    }

    /**
     * Signs what 2b+1 committed to. The order says so once; a replica that is not taught yet keeps the newest such content
     * until it is. An older one needs no more signatures: the newest was decided by appservers that hold its certificate.
     */
    private void sign(ProvenContent proven) {
        if (!state.knowing()) {
            unsigned = proven;
            return;
        }
        Optional<Share> signed = state.share(proven.number());
        if (signed.isPresent() && signed.get().content().identity().equals(proven.hash())) {
            outlet.toAppservers(Codec.encode(signed.get()));
            return;
        }
        if (!mayTouch(proven.number(), proven.hash()) || verifier.wrong(proven).isPresent()) {
            return;
        }
        if (!holdForGood(proven)) {
            refusals++;
            return;
        }
        Signed<?> seal = sealer.seal(proven.content());
        Share share = new Share(replica, new Signed<>(proven.content(), proven.payload(), seal.signature()));
        append(new SignedShare(share));
        pauses = 0;
        outlet.toAppservers(Codec.encode(share));
    }

    /** Whether this replica takes part in a number at all; a content beside the one that it signed is refused here. */
    private boolean mayTouch(CertificateNumber number, Hash content) {
        if (!state.knowing() || !number.isAfter(state.floor())) {
            return false;
        }
        Optional<Share> signed = state.share(number);
        boolean other = signed.isPresent() && !signed.get().content().identity().equals(content);
        if (other) {
            refusals++;
        }
        return !other;
    }

    private void recovered(Recover statement) {
        if (statement.replica() == replica) {
            joined |= statement.start().equals(start) && statement.knowing();
            return;
        }
        if (!statement.knowing() && relearning.mayAnswer(statement.replica(), statement.start())) {
            state(statement.start(), state.newest());
        }
        if (!state.knowing() && statement.answers().equals(start) && proved(statement)) {
            relearning.hear(statement);
            relearning.learned(state).ifPresent(items -> {
                items.forEach(this::append);
                signLate();
                state(Hash.ZERO, state.newest());
            });
        }
    }

    private void signLate() {
        ProvenContent late = unsigned;
        unsigned = null;
        if (late != null) {
            sign(late);
        }
    }

    private boolean proved(Recover statement) {
        ProvenContent proven = statement.proven();
        return proven == null || verifier.wrong(proven).isEmpty();
    }

    /**
     * Says what the record holds, until it has come out ordered that the record is complete; to be called when this replica
     * takes part in the order, and now and then from there on. Certification begins with such statements alone.
     */
    public void join() {
        if (!joined) {
            state(Hash.ZERO, state.newest());
        }
    }

    private void state(Hash answers, CertificateNumber number) {
        submit(new Recover(
                replica,
                start,
                answers,
                state.knowing(),
                state.epoch(),
                number,
                state.attempt(number),
                state.newestProven().orElse(null)));
    }

    private void submit(Message message) {
        outlet.submit(Codec.encode(sealer.seal(message)));
    }

    /** Tells an appserver that has just connected what it may have missed. */
    public void greet(Consumer<byte[]> toAppserver) {
        proofs.forEach(toAppserver);
        for (Share share : state.shares()) {
            toAppserver.accept(Codec.encode(share));
        }
        byte[] open = question;
        if (open != null) {
            toAppserver.accept(open);
        }
    }

    /**
     * Sends once more what may have been lost: the newest share, and after it the open question, for whoever lost the shares
     * of the newest certificate cannot answer the question that follows it. Without an open question the share is sent after
     * pauses that double, up to {@value #LONGEST_PAUSE} calls: an appserver that lost it asks for nothing.
     */
    public void askAgain() {
        byte[] open = question;
        pauses++;
        boolean due = pauses >= LONGEST_PAUSE ? pauses % LONGEST_PAUSE == 0 : Long.bitCount(pauses) == 1;
        List<Share> shares = state.shares();
        if (!shares.isEmpty() && (open != null || due)) {
            outlet.toAppservers(Codec.encode(shares.get(shares.size() - 1)));
        }
        if (open != null) {
            outlet.toAppservers(open);
        }
    }

    /** Whether this replica has its record, or was taught: it accepts, commits and signs nothing before. */
    public boolean knowing() {
        return state.knowing();
    }

    /** How often this replica was asked to accept or sign a content beside the one that it had signed or holds a later proof of: none, unless the order is broken. */
    public long refusals() {
        return refusals;
    }
}
