package org.aspas.certify.signer;

import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.signer.RecordItem.AcceptedContent;
import org.aspas.certify.signer.RecordItem.Opened;
import org.aspas.certify.signer.RecordItem.SignedShare;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
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

    private final int replica;
    private final Sealer sealer;
    private final RecordState state;
    private final RecordRules rules;
    private final Outlet outlet;
    private final RecordRelearning relearning;
    private final Hash start;
    private final RecordStatements statements;
    private final Reminders reminders = new Reminders();
    private final EarlyWords words;
    private @Nullable ProvenContent unsigned;
    /** What it accepted last since it started. */
    private @Nullable Decided accepted;
    /** What it committed to last since it started. */
    private @Nullable ProvenContent committed;

    private final DoneEarly early = new DoneEarly();

    /**
     * A signer at the start of its process.
     *
     * @param record what this replica's own durable record holds; from here on this object changes it
     * @param start random and fresh for this start of the process
     */
    public CertificateSigner(
            int replica, Sealer sealer, Membership members, RecordState record, Hash start, Outlet outlet) {
        this.replica = replica;
        this.sealer = sealer;
        this.relearning = new RecordRelearning(members.quorums());
        this.words = new EarlyWords(members);
        this.state = record;
        this.rules = new RecordRules(record, members.proofs(), this::append);
        this.start = start;
        this.outlet = outlet;
        this.statements = new RecordStatements(
                replica, start, record, statement -> outlet.submit(Codec.encode(sealer.seal(statement))));
    }

    /** Carries out one outcome. The same outcome may come again. */
    public void on(Outcome outcome) {
        if (outcome instanceof Outcome.Ask ask) {
            reached(ask.epoch());
            early.asked();
            byte[] frame = Codec.encode(sealer.seal(ask.message(replica)));
            reminders.asks(ask.number(), frame);
            outlet.toAppservers(frame);
        } else if (outcome instanceof Decided decided) {
            if (!early.accepted(decided)) {
                accept(decided);
            }
        } else if (outcome instanceof Outcome.Accepted accepted) {
            acceptedByOrder(accepted.proven());
        } else if (outcome instanceof ReadyToSign ready) {
            committedByOrder(ready.proven());
        } else if (outcome instanceof Outcome.Opened opened) {
            reached(opened.epoch());
        } else if (outcome instanceof Outcome.Recovered recovered) {
            recovered(recovered.statement());
        } else if (outcome instanceof Outcome.Convicted convicted) {
            byte[] proof = Codec.encode(convicted.evidence());
            reminders.convicts(proof);
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
        if (!rules.mayTouch(number)) {
            return;
        }
        boolean signed = rules.signedBeside(decided);
        if (signed || !state.accepted(number, attempt, hash)) {
            if (signed || state.attempt(number) >= attempt || !rules.unlocked(decided)) {
                // The machine does not know what this record holds: it is told, and decides again.
                statements.say(number);
                return;
            }
            append(new AcceptedContent(number, attempt, decided.payload()));
        }
        accepts(decided);
    }

    private void accepts(Decided decided) {
        accepted = decided;
        say(new Accept(replica, decided.content().number(), decided.attempt(), decided.hash()));
        goOn();
    }

    /** Accepts what the order will decide by all that is in hand here. If the record has anything against it, the order will ask. */
    public void foresee(Decided decided) {
        CertificateNumber number = decided.content().number();
        boolean fresh = rules.mayTouch(number) && state.attempt(number) < decided.attempt() && rules.unlocked(decided);
        if (fresh) {
            append(new AcceptedContent(number, decided.attempt(), decided.payload()));
            early.accepts(decided);
            accepts(decided);
        }
    }

    /** The order says that 2b+1 accepted. What was committed to early is not said again, unless this is told again. */
    private void acceptedByOrder(ProvenContent proven) {
        if (!early.committed(proven) && commit(proven)) {
            goOn();
        }
    }

    /** Commits to a proof, if it may; whether it has. */
    private boolean commit(ProvenContent proven) {
        boolean may = rules.hold(proven);
        if (may) {
            committed = proven;
            say(new Commit(replica, proven.number(), proven.attempt(), proven.hash()));
        }
        return may;
    }

    /** The order says that 2b+1 committed. */
    private void committedByOrder(ProvenContent proven) {
        reminders.answered(proven.number());
        if (!early.signed(proven)) {
            sign(proven);
        }
    }

    /**
     * Takes an ACCEPT or a COMMIT that another replica gave to be ordered, before it is ordered; it may never be.
     *
     * @param word by the replica that gave it, its signature not verified yet
     */
    public void hear(Signed<? extends Message> word) {
        words.hear(word);
        goOn();
    }

    /** Spares a word that comes out ordered its verification, if it was verified when it was heard. */
    public void recall(Signed<? extends Message> word) {
        words.recall(word);
    }

    /** Does what the words that were heard allow: they prove as much as ordered ones. */
    private void goOn() {
        Decided open = accepted;
        if (open != null && awaitsProof(open)) {
            words.proof(open).filter(this::commit).ifPresent(early::commits);
        }
        ProvenContent proven = committed;
        if (proven != null
                && rules.holds(proven.number(), proven.attempt(), proven.hash())
                && state.share(proven.number()).isEmpty()
                && words.committed(proven)) {
            early.signs(proven);
            reminders.answered(proven.number());
            sign(proven);
        }
    }

    /** Whether it is what this replica accepted last, without a proof of that attempt. */
    private boolean awaitsProof(Decided open) {
        CertificateNumber number = open.content().number();
        Hash hash = open.hash();
        return state.accepted(number, open.attempt(), hash) && !rules.holds(number, open.attempt(), hash);
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
        if (!rules.maySign(proven)) {
            return;
        }
        Signed<?> seal = sealer.seal(proven.content());
        Share share = new Share(replica, new Signed<>(proven.content(), proven.payload(), seal.signature()));
        append(new SignedShare(share));
        reminders.signed();
        outlet.toAppservers(Codec.encode(share));
    }

    private void recovered(Recover statement) {
        if (statement.replica() == replica) {
            statements.ordered(statement);
            return;
        }
        if (!statement.knowing()) {
            words.forget(statement.replica());
        }
        if (!statement.knowing() && relearning.mayAnswer(statement.replica(), statement.start())) {
            statements.answer(statement.start());
        }
        if (!state.knowing() && statement.answers().equals(start) && proved(statement)) {
            relearning.hear(statement);
            relearning.learned().ifPresent(items -> {
                items.forEach(this::append);
                signLate();
                statements.say(state.newest());
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
        return proven == null || rules.right(proven);
    }

    /**
     * Says what the record holds, until it has come out ordered that the record is complete; to be called when this replica
     * takes part in the order, and now and then from there on. Certification begins with such statements alone.
     */
    public void join() {
        statements.join();
    }

    /** Says what the record proves of a number, if it does; whether it does. */
    public boolean show(CertificateNumber number) {
        return statements.show(number);
    }

    /**
     * Says what the record proves beyond what the order has decided, if that was so at the last call, too: a question may
     * have ended undecided after it was foreseen what it decides. To be called now and then.
     */
    public void remind(CertificateNumber decided) {
        statements.remind(decided);
    }

    /** Submits a word, which counts here from now on: what it rests on leaves no later than what rests on it. */
    private void say(Message word) {
        Signed<?> signed = sealer.seal(word);
        words.hear(signed);
        outlet.submit(Codec.encode(signed));
    }

    /** Tells an appserver that has just connected what it may have missed. */
    public void greet(Consumer<byte[]> toAppserver) {
        reminders.greet(state.shares(), toAppserver);
    }

    /** Sends the appservers once more what may have been lost. */
    public void askAgain() {
        reminders.askAgain(state.shares(), outlet::toAppservers);
    }

    /** Whether this replica has its record, or was taught: it accepts, commits and signs nothing before. */
    public boolean knowing() {
        return state.knowing();
    }

    /** How often it refused to accept or sign a second content: never, unless the order is broken. */
    public long refusals() {
        return rules.refusals();
    }
}
