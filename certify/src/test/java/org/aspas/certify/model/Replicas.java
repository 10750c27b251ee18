package org.aspas.certify.model;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.replica.CertificateSigner;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.replica.RecordState;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.ProvenContent;

/** The states of correct replicas that were met, and what outcomes make of each: by the production class. */
final class Replicas {
    /** A replica stops here: this item is not durable any more. */
    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * A state of a replica.
     *
     * @param starts how often it was started before
     * @param memory null when it does not run
     * @param open what it accepted last, if it holds no proof of that
     * @param committed the newest proof that it holds, if it signed nothing of that number
     */
    record Node(
            int replica,
            List<RecordItem> items,
            int starts,
            Memory memory,
            boolean knowing,
            Word.Proof open,
            Word.Proof committed) {
        boolean runs() {
            return memory != null;
        }

        Word.Start start() {
            return new Word.Start(replica, starts);
        }
    }

    /**
     * What came of a step.
     *
     * @param words what was submitted
     * @param shares which contents were signed
     * @param items how many items were made durable
     */
    record Result(int next, int[] words, int[] shares, int items) {}

    private final Lexicon lexicon;
    private final Machines machines;
    private final List<Node> nodes = new ArrayList<>();
    private final Interner<String> names = new Interner<>();
    private final LongTable steps = new LongTable();
    private final LongTable hearings = new LongTable();
    private final LongTable foresights = new LongTable();
    private final List<Result> results = new ArrayList<>();
    private long executed;

    Replicas(Lexicon lexicon, Machines machines) {
        this.lexicon = lexicon;
        this.machines = machines;
    }

    Node node(int name) {
        return nodes.get(name);
    }

    int size() {
        return nodes.size();
    }

    long executed() {
        return executed;
    }

    /** A replica that does not run, with a record as of the deployment's first day, or with none. */
    int fresh(int replica, boolean record) {
        return node(replica, record ? List.of(new RecordItem.Taught(CertificateNumber.NONE)) : List.of(), 0, null);
    }

    private int node(int replica, List<RecordItem> items, int starts, Memory memory) {
        boolean knowing = items.stream().anyMatch(RecordItem.Taught.class::isInstance);
        RecordState record = new RecordState();
        items.forEach(record::apply);
        Node node = new Node(replica, items, starts, memory, knowing, open(items, record), committed(record));
        int name = names.name(replica + " " + describe(node, Names.SAME));
        if (name == nodes.size()) {
            nodes.add(node);
        }
        return name;
    }

    private Word.Proof open(List<RecordItem> items, RecordState record) {
        for (RecordItem item : items) {
            if (item instanceof RecordItem.AcceptedContent last
                    && last.number().equals(record.newest())
                    && record.accepted(last.number(), last.attempt(), last.hash())
                    && record.proven(last.number())
                            .filter(held -> held.attempt() == last.attempt())
                            .isEmpty()) {
                return new Word.Proof(lexicon.contentName(last.hash()), (int) last.attempt());
            }
        }
        return Word.Proof.NONE;
    }

    private Word.Proof committed(RecordState record) {
        return record.newestProven()
                .filter(held -> record.share(held.number()).isEmpty())
                .map(lexicon::proofOf)
                .orElse(Word.Proof.NONE);
    }

    /**
     * It hears ACCEPTs of what it accepted, or COMMITs to what it committed to, before they are ordered: those of the liar, and of
     * the correct replicas that have a bit.
     */
    Result heard(int name, boolean commits, int replicas) {
        long key = LongTable.key(name, (commits ? 8 : 0) + replicas);
        long known = hearings.get(key);
        if (known == LongTable.ABSENT) {
            executed++;
            Node node = nodes.get(name);
            Running running = new Running(node);
            running.stand(commits);
            Word.Proof of = commits ? node.committed() : node.open();
            for (int other = 0; other <= Lexicon.LIAR; other++) {
                if (other != node.replica() && (other == Lexicon.LIAR || (replicas >> other & 1) != 0)) {
                    running.hear(Word.of(commits, other, of));
                }
            }
            known = keep(running.result(node(node.replica(), running.disk.items(), node.starts(), running.memory)));
            hearings.put(key, known);
        }
        return results.get((int) known);
    }

    /** It foresees what outcomes say is decided. */
    Result foreseen(int name, int made) {
        long key = LongTable.key(name, made);
        long known = foresights.get(key);
        if (known == LongTable.ABSENT) {
            executed++;
            Node node = nodes.get(name);
            Running running = new Running(node);
            running.fuse = Integer.MAX_VALUE;
            for (Outcome outcome : machines.outcomes(made)) {
                if (outcome instanceof Outcome.Decided decided) {
                    running.signer.foresee(decided);
                }
            }
            known = keep(running.result(node(node.replica(), running.disk.items(), node.starts(), running.memory)));
            foresights.put(key, known);
        }
        return results.get((int) known);
    }

    /** The proofs that the record of a replica holds. */
    List<Word.Proof> held(int name) {
        List<Word.Proof> held = new ArrayList<>();
        for (RecordItem item : nodes.get(name).items()) {
            if (item instanceof RecordItem.Locked locked) {
                held.add(lexicon.proofOf(locked.proven()));
            }
        }
        return held;
    }

    String describe(int name, int[] renaming) {
        return describe(nodes.get(name), renaming);
    }

    private String describe(Node node, int[] renaming) {
        StringBuilder text = new StringBuilder();
        for (RecordItem item : node.items()) {
            if (!(item instanceof RecordItem.Opened)) {
                text.append(lexicon.describe(item)).append("; ");
            }
        }
        if (!node.knowing()) {
            text.append("starts ").append(node.starts());
        }
        Memory memory = node.memory();
        if (memory != null) {
            TreeMap<Integer, Word> heard = new TreeMap<>();
            memory.heard.forEach((replica, one) -> heard.put(renaming[replica], one.renamed(renaming)));
            TreeSet<String> asked = new TreeSet<>();
            memory.questions
                    .values()
                    .forEach(one -> asked.add(one.start().renamed(renaming).toString()));
            text.append(" runs ").append(heard).append(asked);
            text.append(memory.unsigned);
        }
        return text.toString();
    }

    /** It stops. */
    int stopped(int name) {
        Node node = nodes.get(name);
        return node(node.replica(), node.items(), node.starts(), null);
    }

    /**
     * It starts, and does what it missed.
     *
     * @param missed the outcomes that its machine gives it at the start
     * @param lost whether its record was lost
     */
    Result started(int name, int missed, boolean lost) {
        long key = LongTable.key(name, -3 - 2 * missed - (lost ? 1 : 0));
        long known = steps.get(key);
        if (known == LongTable.ABSENT) {
            Node old = nodes.get(name);
            List<RecordItem> items = lost ? List.of() : old.items();
            Node next = new Node(
                    old.replica(),
                    items,
                    old.starts() + 1,
                    new Memory(),
                    !lost && old.knowing(),
                    Word.Proof.NONE,
                    Word.Proof.NONE);
            known = keep(run(next, machines.outcomes(missed), Integer.MAX_VALUE, false));
            steps.put(key, known);
        }
        return results.get((int) known);
    }

    /** Whether it has no record and has not heard this answer, or another one of the same replica. */
    boolean awaits(int name, Word.Stating answer) {
        Node node = nodes.get(name);
        return node.runs()
                && !node.knowing()
                && answer.answers().equals(node.start())
                && !node.memory().heard.containsKey(answer.replica());
    }

    /** What it says of its record when it starts. */
    int[] stated(int name) {
        long key = LongTable.key(name, -1);
        long known = steps.get(key);
        if (known == LongTable.ABSENT) {
            known = keep(run(nodes.get(name), List.of(), Integer.MAX_VALUE, true));
            steps.put(key, known);
        }
        return results.get((int) known).words();
    }

    /**
     * It does what outcomes want.
     *
     * @param items after so many durable items it stops; as many as it likes when this is the highest number
     */
    Result handled(int name, int made, int items) {
        int sub = items == Integer.MAX_VALUE ? 0 : items + 1;
        if (sub > 7) {
            throw new IllegalStateException("a step of " + items + " items");
        }
        long key = LongTable.key(name, made * 8 + sub);
        long known = steps.get(key);
        if (known == LongTable.ABSENT) {
            known = keep(run(nodes.get(name), machines.outcomes(made), items, false));
            steps.put(key, known);
        }
        return results.get((int) known);
    }

    /** Where it comes to when its process goes on through several lists of outcomes, and is not put together anew for each. */
    int atOnce(int name, List<Integer> made) {
        List<Outcome> all = new ArrayList<>();
        made.forEach(list -> all.addAll(machines.outcomes(list)));
        return run(nodes.get(name), all, Integer.MAX_VALUE, false).next();
    }

    private long keep(Result result) {
        results.add(result);
        return results.size() - 1L;
    }

    private Result run(Node node, List<Outcome> outcomes, int items, boolean stating) {
        executed++;
        Running running = new Running(node);
        running.fuse = items;
        boolean stopped = false;
        try {
            outcomes.forEach(running::on);
            if (stating) {
                running.signer.join();
            }
        } catch (Crash crash) {
            stopped = true;
        }
        int next = node(node.replica(), running.disk.items(), node.starts(), stopped ? null : running.memory);
        return running.result(next);
    }

    /** The production class on a record, with what it remembers. */
    private final class Running implements CertificateSigner.Outlet {
        final RecordState state = new RecordState();
        /** What is durable. */
        final RecordState disk = new RecordState();

        final Memory memory;
        final TreeSet<Integer> words = new TreeSet<>();
        final TreeSet<Integer> shares = new TreeSet<>();
        final CertificateSigner signer;
        private final Node node;
        private boolean silent = true;
        private int fuse;
        private int appended;

        Running(Node node) {
            this.node = node;
            this.memory = node.memory().copy();
            node.items().forEach(state::apply);
            node.items().forEach(disk::apply);
            this.signer = new CertificateSigner(
                    node.replica(),
                    lexicon.bftservers.get(node.replica()),
                    lexicon.members,
                    state,
                    lexicon.startHash(node.start()),
                    this);
            remember();
            silent = false;
        }

        private void remember() {
            memory.questions.values().forEach(this::recovered);
            memory.heard.values().forEach(this::recovered);
            if (memory.unsigned.present()) {
                signer.on(new Outcome.ReadyToSign(lexicon.proof(memory.unsigned)));
            }
        }

        /** It stands again where it accepted, or committed to, what its record says. */
        void stand(boolean commits) {
            silent = true;
            Word.Proof of = commits ? node.committed() : node.open();
            if (commits) {
                signer.on(new Outcome.Accepted(lexicon.proof(of)));
            } else {
                signer.on(new Outcome.Decided(
                        lexicon.content(of.content()),
                        Codec.encode(lexicon.content(of.content())),
                        of.attempt(),
                        null));
            }
            silent = false;
            fuse = Integer.MAX_VALUE;
        }

        void hear(Word word) {
            Frame frame = lexicon.frame(lexicon.wordName(word)).orElseThrow();
            signer.hear(((Frame.Sealed) frame).signed());
        }

        Result result(int next) {
            return new Result(
                    next,
                    words.stream().mapToInt(Integer::intValue).toArray(),
                    shares.stream().mapToInt(Integer::intValue).toArray(),
                    appended);
        }

        private void recovered(Word.Stating word) {
            signer.on(new Outcome.Recovered(lexicon.recover(word)));
        }

        void on(Outcome outcome) {
            boolean knew = state.knowing();
            if (outcome instanceof Outcome.Recovered recovered) {
                note((Word.Stating) lexicon.wordOf(recovered.statement()), knew);
            } else if (outcome instanceof Outcome.ReadyToSign ready && !knew) {
                memory.unsigned = lexicon.proofOf(ready.proven());
            }
            signer.on(outcome);
            if (state.knowing()) {
                memory.heard.clear();
                memory.unsigned = Word.Proof.NONE;
            }
        }

        private void note(Word.Stating word, boolean knew) {
            if (word.replica() == node.replica()) {
                return;
            }
            if (!word.knowing()) {
                memory.questions.put(
                        word.start().toString(),
                        new Word.Stating(word.start(), Word.Start.NONE, false, 0, 0, Word.Proof.NONE));
            }
            if (!knew && word.answers().equals(node.start())) {
                memory.heard.put(word.replica(), word);
            }
        }

        @Override
        public void submit(byte[] command) {
            if (!silent) {
                Frame frame = Codec.decode(command).accepted().orElseThrow();
                words.add(lexicon.wordName(
                        lexicon.wordOf(((Frame.Sealed) frame).signed().message())));
            }
        }

        @Override
        public void toAppservers(byte[] frame) {
            // Shares are known by their items.
        }

        @Override
        public void persist(RecordItem item) {
            if (silent) {
                throw new IllegalStateException("what it remembers would change its record: " + lexicon.describe(item));
            }
            if (fuse-- == 0) {
                throw new Crash();
            }
            appended++;
            RecordItem named = named(item);
            state.apply(named);
            disk.apply(named);
            if (item instanceof RecordItem.SignedShare share) {
                shares.add(lexicon.contentName(share.hash()));
            }
        }

        /** The item with the proof that stands for all proofs of its content and attempt. */
        private RecordItem named(RecordItem item) {
            if (item instanceof RecordItem.Locked locked) {
                ProvenContent proven = lexicon.proof(lexicon.proofOf(locked.proven()));
                return new RecordItem.Locked(proven);
            }
            return item;
        }
    }
}
