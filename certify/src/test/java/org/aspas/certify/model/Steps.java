package org.aspas.certify.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** What can happen next, in every state within the bounds. */
final class Steps {
    /** Takes a successor, and how it comes about. */
    interface Successors {
        void next(Supplier<String> how, State state);
    }

    static final int ALL = Integer.MAX_VALUE;

    final Lexicon lexicon = new Lexicon();
    final Machines machines = new Machines(lexicon);
    final Replicas replicas = new Replicas(lexicon, machines);
    final Soups soups = new Soups(lexicon);
    private final Bounds bounds;
    private final LongTable lieNames = new LongTable();
    private final Interner<String> lieSets = new Interner<>();
    private final List<int[]> lieLists = new ArrayList<>();

    Steps(Bounds bounds) {
        this.bounds = bounds;
    }

    /** Four replicas of which none was asked anything yet, with records as of the first day. */
    State initial() {
        State state = new State(machines.initial(), new int[] {0, 0, 0}, soups.empty(), 0, 0);
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            state = state.withReplica(replica, replicas.fresh(replica, true));
        }
        return started(state, -1);
    }

    /** All start over an empty order; one of them may have lost its record. */
    private State started(State from, int lost) {
        State state = from.with(machines.initial(), from.soup());
        int missed = machines.node(machines.initial()).missed();
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            state = state.with(replica, replicas.started(state.replicas()[replica], missed, replica == lost), soups);
        }
        return state;
    }

    /** Tells all successors with what leads there. */
    void from(State state, Successors told) {
        ordered(state, told);
        Machines.Node machine = machines.node(state.machine());
        if (machine.number() < bounds.numbers() && follows(state, machine)) {
            for (int variant = 0; variant < bounds.contents(); variant++) {
                int which = variant;
                long decided = machines.decide(state.machine(), variant);
                branch(state, decided, () -> "appservers decide content " + (char) ('A' + which), told);
                for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
                    foreseen(state, replica, decided, told);
                }
            }
        }
        if (machine.view().waits()) {
            branch(state, machines.tick(state.machine()), () -> "time steps", told);
        }
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            alone(state, replica, told);
            early(state, replica, false, told);
            early(state, replica, true, told);
        }
        if (state.spent(State.COLD) < bounds.coldStarts()) {
            told.next(() -> "cold start of all", started(state, -1).spend(State.COLD));
            if (state.spent(State.LOST) < bounds.lostRecords()) {
                for (int lost = 0; lost < Lexicon.CORRECT; lost++) {
                    int which = lost;
                    told.next(
                            () -> "cold start of all, replica " + which + " without its record",
                            started(state, lost).spend(State.COLD).spend(State.LOST));
                }
            }
        }
    }

    /** Whether f+1 correct appservers may have adopted what the chain ends with: 2b+1 with the liar signed it. */
    private boolean follows(State state, Machines.Node machine) {
        int newest = machine.view().newest();
        return machine.number() == 0 || state.signers(newest) >= lexicon.quorums.bftserverQuorum() - 1;
    }

    private void ordered(State state, Successors told) {
        if (bounds.reduced()) {
            quorum(state, told);
        } else {
            for (int word : soups.words(state.soup())) {
                order(state, word, told);
            }
        }
        for (int node : state.replicas()) {
            if (replicas.node(node).runs()
                    && !(bounds.reduced() && replicas.node(node).knowing())) {
                said(state, node).forEach(word -> order(state, word, told));
            }
        }
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            order(state, lexicon.wordName(Word.Stating.blank(replica)), told);
        }
        for (int word : soups.words(state.soup())) {
            if (bounds.reduced() && lexicon.word(word) instanceof Word.Stating) {
                order(state, word, told);
            }
        }
        for (int word : remembered(state)) {
            if (!bounds.reduced() || lexicon.word(word) instanceof Word.Stating) {
                order(state, word, told);
            }
        }
    }

    /** All ACCEPTs of what is open, or all COMMITs, one after the other, if they are enough. */
    private void quorum(State state, Successors told) {
        MachineSnapshot view = machines.node(state.machine()).view();
        if (view.pending() < 0) {
            return;
        }
        int machine = state.machine();
        for (int replica = Lexicon.LIAR; replica >= 0; replica--) {
            int word = lexicon.wordName(
                    view.proven()
                            ? new Word.Committing(replica, view.pending(), view.attempt())
                            : new Word.Accepting(replica, view.pending(), view.attempt()));
            if (replica != Lexicon.LIAR && !soups.has(state.soup(), word)) {
                continue;
            }
            long result = machines.order(machine, word);
            if (result == Machines.REJECTED) {
                return;
            }
            if (!machines.outcomes(Machines.made(result)).isEmpty()) {
                String what = view.proven() ? "COMMITs" : "ACCEPTs";
                branch(
                        state,
                        result,
                        () -> what + " of 2b+1 for " + lexicon.name(view.pending()) + ", attempt " + view.attempt(),
                        told);
                return;
            }
            machine = Machines.next(result);
        }
    }

    private void order(State state, int word, Successors told) {
        branch(state, machines.order(state.machine(), word), () -> lexicon.describe(lexicon.word(word)), told);
    }

    /** What a replica says of its record now: because it starts, or because it cannot accept what is open. */
    List<Integer> said(State state, int node) {
        List<Integer> said = new ArrayList<>();
        for (int word : replicas.stated(node)) {
            said.add(word);
        }
        int open = machines.node(state.machine()).repeated();
        for (int word : replicas.handled(node, open, ALL).words()) {
            if (Soups.passes(lexicon.word(word))) {
                said.add(word);
            }
        }
        return said;
    }

    private int[] remembered(State state) {
        for (int node : state.replicas()) {
            if (replicas.node(node).runs() && !replicas.node(node).knowing()) {
                return lies(state);
            }
        }
        long key = LongTable.key(state.machine(), state.soup());
        long known = lieNames.get(key);
        if (known == LongTable.ABSENT) {
            int[] lies = lies(state);
            known = lieSets.name(Arrays.toString(lies));
            if (known == lieLists.size()) {
                lieLists.add(lies);
            }
            lieNames.put(key, known);
        }
        return lieLists.get((int) known);
    }

    /** What the liar can say now that the machine may take. */
    int[] lies(State state) {
        List<Word> lies = new ArrayList<>();
        Machines.Node machine = machines.node(state.machine());
        MachineSnapshot view = machine.view();
        int liar = Lexicon.LIAR;
        if (view.pending() >= 0) {
            lies.add(new Word.Accepting(liar, view.pending(), view.attempt()));
            lies.add(new Word.Committing(liar, view.pending(), view.attempt()));
        }
        List<Word.Start> asking = new ArrayList<>();
        asking.add(Word.Start.NONE);
        for (int name : state.replicas()) {
            if (replicas.node(name).runs() && !replicas.node(name).knowing()) {
                asking.add(replicas.node(name).start());
            }
        }
        Word.Start own = new Word.Start(liar, 0);
        for (Word.Start answers : asking) {
            lies.add(new Word.Stating(own, answers, true, 0, 0, Word.Proof.NONE));
            for (Word.Proof proof : soups.provable(state.soup())) {
                long number = lexicon.number(proof.content());
                lies.add(new Word.Stating(own, answers, true, number, proof.attempt(), proof));
            }
        }
        for (int attempt = 1; attempt < bounds.attempts(); attempt++) {
            lies.add(new Word.Stating(own, Word.Start.NONE, true, machine.number() + 1, attempt, Word.Proof.NONE));
        }
        return lies.stream().mapToInt(lexicon::wordName).toArray();
    }

    /** A command was ordered: everybody who runs does what it wants, wholly or until it stops on the way. */
    private void branch(State state, long result, Supplier<String> what, Successors told) {
        if (result == Machines.REJECTED
                || machines.node(Machines.next(result)).view().attempt() > bounds.attempts()) {
            return;
        }
        State next = state.with(Machines.next(result), state.soup());
        handle(next, 0, Machines.made(result), what, told);
    }

    private void handle(State state, int replica, int made, Supplier<String> what, Successors told) {
        if (replica == Lexicon.CORRECT) {
            told.next(what, state);
            return;
        }
        int node = state.replicas()[replica];
        if (!replicas.node(node).runs()) {
            handle(state, replica + 1, made, what, told);
            return;
        }
        Replicas.Result whole = replicas.handled(node, made, ALL);
        handle(state.with(replica, whole, soups), replica + 1, made, what, told);
        for (int items = 1; items < whole.items(); items++) {
            Replicas.Result part = replicas.handled(node, made, items);
            int kept = items;
            Supplier<String> how = () -> what.get() + "; replica " + replica + " stops after item " + kept;
            handle(state.with(replica, part, soups), replica + 1, made, how, told);
        }
    }

    /** All who run do what an ordered command wants; the state with it. Null when the machine rejects it. */
    State follow(State state, long result) {
        if (result == Machines.REJECTED) {
            return null;
        }
        State next = state.with(Machines.next(result), state.soup());
        for (int replica = 0; replica < Lexicon.CORRECT; replica++) {
            int node = next.replicas()[replica];
            if (replicas.node(node).runs()) {
                next = next.with(replica, replicas.handled(node, Machines.made(result), ALL), soups);
            }
        }
        return next;
    }

    private void alone(State state, int replica, Successors told) {
        int node = state.replicas()[replica];
        if (replicas.node(node).runs()) {
            told.next(() -> "replica " + replica + " stops", state.withReplica(replica, replicas.stopped(node)));
            told.next(() -> "replica " + replica + " repeats what is open", repeated(state, replica));
        } else if (state.spent(State.RESTARTS) < bounds.restarts()) {
            told.next(
                    () -> "replica " + replica + " starts again",
                    restarted(state, replica, false).spend(State.RESTARTS));
            if (state.spent(State.LOST) < bounds.lostRecords()) {
                told.next(
                        () -> "replica " + replica + " starts again without its record",
                        restarted(state, replica, true).spend(State.RESTARTS).spend(State.LOST));
            }
        }
    }

    /** A replica has the answers in hand that would decide a content, and the order may never have them. */
    private void foreseen(State state, int replica, long decided, Successors told) {
        int node = state.replicas()[replica];
        if (decided == Machines.REJECTED
                || machines.node(Machines.next(decided)).view().attempt() > bounds.attempts()
                || !replicas.node(node).runs()) {
            return;
        }
        Replicas.Result result = replicas.foreseen(node, Machines.made(decided));
        if (result.next() != node) {
            String what =
                    lexicon.name(machines.node(Machines.next(decided)).view().pending());
            told.next(
                    () -> "replica " + replica + " foresees that " + what + " is decided",
                    state.with(replica, result, soups));
        }
    }

    /** A replica hears what others said of what it accepted, or committed to, before that is ordered, or without that ever being so. */
    private void early(State state, int replica, boolean commits, Successors told) {
        Replicas.Node node = replicas.node(state.replicas()[replica]);
        Word.Proof of = commits ? node.committed() : node.open();
        if (!node.runs() || !node.knowing() || !of.present()) {
            return;
        }
        int said = 0;
        for (int other = 0; other < Lexicon.CORRECT; other++) {
            boolean has = other != replica && soups.has(state.soup(), lexicon.wordName(Word.of(commits, other, of)));
            said |= has ? 1 << other : 0;
        }
        Replicas.Result result = replicas.heard(state.replicas()[replica], commits, said);
        if (result.next() != state.replicas()[replica]) {
            String what = commits ? " hears COMMITs for " : " hears ACCEPTs for ";
            told.next(() -> "replica " + replica + what + lexicon.describe(of), state.with(replica, result, soups));
        }
    }

    /** It does again what the machine has open, as a replica does now and then. */
    State repeated(State state, int replica) {
        int open = machines.node(state.machine()).repeated();
        return state.with(replica, replicas.handled(state.replicas()[replica], open, ALL), soups);
    }

    /** A replica that does not run starts with a snapshot of the machine. */
    State restarted(State state, int replica, boolean lost) {
        int missed = machines.node(state.machine()).missed();
        return state.with(replica, replicas.started(state.replicas()[replica], missed, lost), soups);
    }
}
