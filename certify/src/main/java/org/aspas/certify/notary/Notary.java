package org.aspas.certify.notary;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.certify.certificate.ProvenContentVerifier;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.Commit;
import org.aspas.certify.message.ProvenContent;
import org.aspas.certify.message.Recover;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.certify.notary.RecordItem.AcceptedContent;
import org.aspas.certify.notary.RecordItem.Locked;
import org.aspas.certify.notary.RecordItem.Opened;
import org.aspas.certify.notary.RecordItem.SignedShare;
import org.aspas.certify.order.Ordering;
import org.jspecify.annotations.Nullable;

/**
 * What one replica does with the outcomes of the certification machine (the protocol page, docs/protocol.md §5.3, §5.5).
 * Every item is durable in the {@link NotaryRecord} before the message that tells of it leaves. Its rules, per number:
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
public final class Notary {
    private final int replica;
    private final Sealer sealer;
    private final ProvenContentVerifier verifier;
    private final NotaryRecord record;
    private final Ordering ordering;
    private final Consumer<byte[]> toAppservers;
    private final Lessons lessons;
    private final Hash start;
    private final List<byte[]> proofs = new ArrayList<>();
    private byte @Nullable [] question;
    private @Nullable ProvenContent unsigned;
    private boolean joined;
    private long refusals;

    /**
     * A notary at the start of its process.
     *
     * @param replica which bftserver this is
     * @param sealer signs with its key
     * @param verifier checks proofs
     * @param lessons decides when a replica without a record has been taught; fresh
     * @param record this replica's own durable record
     * @param start random and fresh for this start of the process
     * @param ordering where its commands go
     * @param toAppservers sends a frame to all appservers
     */
    public Notary(
            int replica,
            Sealer sealer,
            ProvenContentVerifier verifier,
            Lessons lessons,
            NotaryRecord record,
            Hash start,
            Ordering ordering,
            Consumer<byte[]> toAppservers) {
        this.replica = replica;
        this.sealer = sealer;
        this.verifier = verifier;
        this.lessons = lessons;
        this.record = record;
        this.start = start;
        this.ordering = ordering;
        this.toAppservers = toAppservers;
    }

    /** Carries out one outcome. The same outcome may come again. */
    public void on(Outcome outcome) {
        if (outcome instanceof Outcome.Ask ask) {
            reached(ask.epoch());
            byte[] frame = Codec.encode(sealer.seal(ask.message(replica)));
            question = frame;
            toAppservers.accept(frame);
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
            toAppservers.accept(proof);
        } else if (outcome instanceof Outcome.Ticked ticked) {
            lessons.tick(ticked.k());
        }
    }

    /** No appserver is asked in an epoch that the next life of the order might use again. */
    private void reached(long epoch) {
        if (epoch > record.state().epoch()) {
            record.append(new Opened(epoch));
        }
    }

    private void accept(Decided decided) {
        RecordState state = record.state();
        long number = decided.content().number();
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
            record.append(new AcceptedContent(number, attempt, decided.payload()));
        }
        submit(new Accept(replica, number, attempt, hash));
    }

    /** Whether this record has nothing against another content than the one it committed to, if that is another. */
    private boolean unlocked(Decided decided) {
        Optional<ProvenContent> held = record.state().proven(decided.content().number());
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
        RecordState state = record.state();
        long number = proven.number();
        if (!mayTouch(number, proven.hash()) || verifier.wrong(proven).isPresent()) {
            return false;
        }
        long held = state.proven(number).map(ProvenContent::attempt).orElse(0L);
        if (held < proven.attempt() && state.attempt(number) <= proven.attempt()) {
            record.append(new Locked(proven));
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
        Optional<ProvenContent> held = record.state().proven(proven.number());
        if (held.isPresent() && held.get().attempt() >= proven.attempt()) {
            return held.get().hash().equals(proven.hash());
        }
        record.append(new Locked(proven));
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
        RecordState state = record.state();
        if (!state.knowing()) {
            unsigned = proven;
            return;
        }
        Optional<Share> signed = state.share(proven.number());
        if (signed.isPresent() && signed.get().content().identity().equals(proven.hash())) {
            toAppservers.accept(Codec.encode(signed.get()));
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
        record.append(new SignedShare(share));
        toAppservers.accept(Codec.encode(share));
    }

    /** Whether this replica takes part in a number at all; a content beside the one that it signed is refused here. */
    private boolean mayTouch(long number, Hash content) {
        RecordState state = record.state();
        if (!state.knowing() || number <= state.floor()) {
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
            joined |= statement.start().equals(start);
            return;
        }
        if (!statement.knowing() && lessons.mayAnswer(statement.replica(), statement.start())) {
            state(statement.start(), record.state().newest());
        }
        if (!record.state().knowing() && statement.answers().equals(start) && proved(statement)) {
            lessons.hear(statement);
            lessons.learned(record.state()).ifPresent(items -> {
                items.forEach(record::append);
                signLate();
                state(Hash.ZERO, record.state().newest());
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
     * Says what the record holds, until that has come out ordered, and while the record is not complete; to be called when
     * this replica takes part in the order, and now and then from there on.
     */
    public void join() {
        if (!joined || !record.state().knowing()) {
            state(Hash.ZERO, record.state().newest());
        }
    }

    private void state(Hash answers, long number) {
        RecordState state = record.state();
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

    private void submit(org.aspas.certify.message.Message message) {
        ordering.submit(Codec.encode(sealer.seal(message)));
    }

    /** Tells an appserver that has just connected what it may have missed. */
    public void greet(Consumer<byte[]> toAppserver) {
        proofs.forEach(toAppserver);
        for (Share share : record.state().shares()) {
            toAppserver.accept(Codec.encode(share));
        }
        byte[] open = question;
        if (open != null) {
            toAppserver.accept(open);
        }
    }

    /**
     * Sends the open question once more, for answers that were lost, and before it the newest share: whoever lost the shares
     * of the newest certificate cannot answer the question that follows it.
     */
    public void askAgain() {
        byte[] open = question;
        if (open != null) {
            List<Share> shares = record.state().shares();
            if (!shares.isEmpty()) {
                toAppservers.accept(Codec.encode(shares.get(shares.size() - 1)));
            }
            toAppservers.accept(open);
        }
    }

    /** Whether this replica has its record, or was taught: it accepts, commits and signs nothing before. */
    public boolean knowing() {
        return record.state().knowing();
    }

    /** How often this replica was asked to accept or sign a content beside the one that it had signed or holds a later proof of: none, unless the order is broken. */
    public long refusals() {
        return refusals;
    }
}
