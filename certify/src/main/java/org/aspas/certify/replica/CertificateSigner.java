package org.aspas.certify.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.certify.certificate.ProvenContentVerifier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.machine.Outcome.ReadyToSign;
import org.aspas.certify.replica.RecordItem.AcceptedContent;
import org.aspas.certify.replica.RecordItem.Locked;
import org.aspas.certify.replica.RecordItem.Opened;
import org.aspas.certify.replica.RecordItem.SignedShare;
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
 * What one bftserver accepts, commits to and signs, and under which rules (paper §3.5; the protocol page, docs/protocol.md §5.3, §5.5).
 *
 * <p><b>What it guards.</b> A certificate is 2b+1 signatures under one content with one number. If two certificates had the same number
 * and different contents, clients would confirm what others never see. So a correct bftserver signs one content for a number, for
 * ever, and nothing of that may rest on the ordering library, which can lie, stall, or restart from scratch. It rests on a durable
 * record of its own ({@link RecordItem}): each item is issued before the message that tells of it, and the {@link Outlet} lets the
 * message leave when the item is durable.
 *
 * <p><b>The rules, for each number.</b> {@link RecordRules} asks the record and the signatures of proofs, never the order:
 *
 * <ol>
 *   <li>It accepts one content in each attempt, and nothing in an attempt older than one in which it accepted or committed.
 *   <li>Once it has committed to a content, it accepts another one only when shown a proof (2b+1 signed ACCEPTs) of that one from a
 *       later attempt than its own proof.
 *   <li>It commits only to what such a proof shows, and signs only what 2b+1 committed to.
 *   <li>It signs one content, and no other after it.
 * </ol>
 *
 * <p><b>Why two certificates cannot differ.</b> The signers of two certificates with one number are 2b+1 and 2b+1 of 3b+1 bftservers, so
 * b+1 signed both. One of them is correct, and by rule 4 it signed one content.
 *
 * <p><b>Why nobody is bound to a content that the others cannot sign.</b> That is what rules 1 to 3 are for; rule 4 alone would let
 * correct replicas sign different contents, and certification would stop. Whoever signs h in attempt a has seen 2b+1 commit, so
 * b+1 correct replicas hold the proof. Suppose another content were proved in a or later, and take the first such proof. In the same
 * attempt the two sets of 2b+1 ACCEPTs share a correct replica, against rule 1. In a later one they include a correct replica
 * that had committed to h, and by rule 2 it was shown an earlier proof of the other content, which contradicts the choice.
 * docs/proofs/early-votes.md has this in lemmas (W3 to W6).
 *
 * <p><b>Before the order says so.</b> ACCEPTs and COMMITs reach each bftserver directly one way after they were said, and are ordered only
 * later. They prove as much unordered, so this class goes on with them as they arrive ({@link EarlyVotes}), and accepts a content
 * that the answers in hand will decide ({@link #foresee}). What was done early is not repeated when the order says it for the
 * first time ({@link EarlyActions}); told again, it is, because the first message may be lost.
 *
 * <p><b>A lost record.</b> A replica without its record promises nothing until 2b+1 others with complete records have answered the
 * statement of its present start ({@link RecordRelearning}). Until then it counts among the b.
 *
 * <p>Not thread-safe: its owner calls it on one thread. Read {@link #on} first, then {@link #goOn}.
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
    private final EarlyVotes votes;
    /** What 2b+1 committed to while this replica had no record. Invariant: null once the record is complete. */
    private @Nullable ProvenContent unsigned;

    /** What it accepted last since it started. Invariant: it was an item of the record before it was said. */
    private @Nullable Decided accepted;

    /** What it committed to last since it started. Invariant: its proof is in the record, as long as its number is. */
    private @Nullable ProvenContent committed;

    private final EarlyActions early = new EarlyActions();

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
        this.votes = new EarlyVotes(members);
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
        assert unsigned == null || !state.knowing() : "a content waits for a record that is complete";
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
        votes.hear(word);
        goOn();
    }

    /** Spares a word that comes out ordered its verification, if it was verified when it was heard. */
    public void recall(Signed<? extends Message> word) {
        votes.recall(word);
    }

    /** Does what the words that were heard allow: they prove as much as ordered ones. */
    private void goOn() {
        Decided open = accepted;
        if (open != null && awaitsProof(open)) {
            votes.proof(open).filter(this::commit).ifPresent(early::commits);
        }
        ProvenContent proven = committed;
        if (proven != null
                && rules.holds(proven.number(), proven.attempt(), proven.hash())
                && state.share(proven.number()).isEmpty()
                && votes.committed(proven)) {
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
            votes.forget(statement.replica());
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
        votes.hear(signed);
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

    /**
     * What was done last before the order said so (docs/proofs/early-votes.md). The order will tell each of it once, and then it is not done
     * again; told a second time, it is, for it may be lost. Not thread-safe.
     */
    private static final class EarlyActions {
        private @Nullable Decided accepted;
        private @Nullable ProvenContent committed;
        private @Nullable ProvenContent signed;

        /** Another question is asked: what was said for the one before may have been refused, so it is said again. */
        void asked() {
            accepted = null;
            committed = null;
        }

        void accepts(Decided decided) {
            accepted = decided;
        }

        void commits(ProvenContent proven) {
            committed = proven;
        }

        void signs(ProvenContent proven) {
            signed = proven;
        }

        /** The order says that it is decided: whether that was foreseen, and is told for the first time. */
        boolean accepted(Decided decided) {
            Decided early = accepted;
            accepted = null;
            return early != null
                    && early.attempt() == decided.attempt()
                    && early.hash().equals(decided.hash());
        }

        /** The order says that 2b+1 accepted it: whether it was committed to early, and that is told for the first time. */
        boolean committed(ProvenContent proven) {
            ProvenContent early = committed;
            committed = null;
            return early != null
                    && early.attempt() == proven.attempt()
                    && early.hash().equals(proven.hash());
        }

        /** The order says that 2b+1 committed to it: whether it was signed early, and that is told for the first time. */
        boolean signed(ProvenContent proven) {
            ProvenContent early = signed;
            signed = null;
            return early != null && early.hash().equals(proven.hash());
        }
    }

    /** What one replica says of its durable record, and when (the protocol page, docs/protocol.md §5.5). Not thread-safe. */
    static final class RecordStatements {
        private final int replica;
        private final Hash start;
        private final RecordState record;
        private final Consumer<Recover> submit;
        private boolean joined;
        /** What the record proved at the last {@link #remind} and the order had not decided. */
        private CertificateNumber unheard = CertificateNumber.NONE;

        RecordStatements(int replica, Hash start, RecordState record, Consumer<Recover> submit) {
            this.replica = replica;
            this.start = start;
            this.record = record;
            this.submit = submit;
        }

        /** Says what the record holds about a number. */
        void say(CertificateNumber number) {
            say(Hash.ZERO, number);
        }

        /** Tells a replica that asks for its record what this one holds of the newest number. */
        void answer(Hash asking) {
            say(asking, record.newest());
        }

        private void say(Hash answers, CertificateNumber number) {
            submit.accept(new Recover(
                    replica,
                    start,
                    answers,
                    record.knowing(),
                    record.epoch(),
                    number,
                    record.attempt(number),
                    record.newestProven().orElse(null)));
        }

        /** A statement of this replica came out ordered. */
        void ordered(Recover own) {
            joined |= own.start().equals(start) && own.knowing();
        }

        /** Says what the record holds, until it has come out ordered in this life that it is complete. */
        void join() {
            if (!joined) {
                say(record.newest());
            }
        }

        /** Says what the record proves of a number, if it does; whether it does. */
        boolean show(CertificateNumber number) {
            boolean proves = record.proven(number).isPresent();
            if (proves) {
                say(number);
            }
            return proves;
        }

        /** Says what is proved beyond what the order has decided, if it was at the last call, too. */
        void remind(CertificateNumber decided) {
            CertificateNumber proven =
                    record.newestProven().map(ProvenContent::number).orElse(CertificateNumber.NONE);
            boolean ahead = proven.isAfter(decided);
            if (ahead && proven.equals(unheard)) {
                say(proven);
            }
            unheard = ahead ? proven : CertificateNumber.NONE;
        }
    }

    /** What appservers may have missed, and when it is sent to them again. Not thread-safe. */
    private static final class Reminders {
        /** The longest pause between two sendings of a share, in calls of {@link #askAgain}. */
        private static final int LONGEST_PAUSE = 64;

        private final List<byte[]> proofs = new ArrayList<>();
        private byte @Nullable [] question;
        /** The number that the question is for. */
        private CertificateNumber asked = CertificateNumber.NONE;
        /** How often what may be lost was sent again since the last share. */
        private long pauses;

        /** A question for the certificate with this number is open. */
        void asks(CertificateNumber number, byte[] frame) {
            asked = number;
            question = frame;
        }

        /** A certificate is signed; the question for it is open no more, nor any before. */
        void answered(CertificateNumber number) {
            if (!asked.isAfter(number)) {
                question = null;
            }
        }

        void convicts(byte[] proof) {
            proofs.add(proof);
        }

        /** A new share has left. */
        void signed() {
            pauses = 0;
        }

        /** Tells an appserver that has just connected what it may have missed. */
        void greet(List<Share> shares, Consumer<byte[]> toAppserver) {
            proofs.forEach(toAppserver);
            for (Share share : shares) {
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
        void askAgain(List<Share> shares, Consumer<byte[]> toAppservers) {
            byte[] open = question;
            pauses++;
            boolean due = pauses >= LONGEST_PAUSE ? pauses % LONGEST_PAUSE == 0 : Long.bitCount(pauses) == 1;
            if (!shares.isEmpty() && (open != null || due)) {
                toAppservers.accept(Codec.encode(shares.get(shares.size() - 1)));
            }
            if (open != null) {
                toAppservers.accept(open);
            }
        }
    }

    /** What a record lets its replica accept, commit to and sign: the rules of {@link CertificateSigner}. Not thread-safe. */
    private static final class RecordRules {
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
            boolean other =
                    signed.isPresent() && !signed.get().content().identity().equals(content);
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
}
