package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist.Finding;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.WrongAnswer;

/**
 * G8: every proof that a correct party holds leads to its verdict: once the network is whole, each accused appserver is in
 * the blacklist that every correct appserver adopted, and a client that one of them refuses for good is refused by all.
 * A proof is held by a client that complained, until it crashes, for it may not have reached anybody by then; by an appserver that says
 * so once it has stored the proof; and by a bftserver that convicted, until it crashes, for its machine is in memory. Whatever they say, it is held by an appserver
 * that showed one head of an origin and was given another one of the same size with another root.
 * A wrong answer is proof while f+1 correct appservers know that it is: those that found it wrong when they were asked, and
 * have not crashed since.
 * A complaint that is false by its signatures alone is proof as well, against whoever complains: every correct appserver
 * calls it false, and after a few of them refuses that client for a while.
 */
final class ProofsConvict extends Invariant {
    /** After how many false complaints a server refuses a client for a while. */
    private static final int FALSE_COMPLAINTS = 3;

    private record Place(int server, int origin, long size) {}

    private final Participants participants;
    private final Predicate<Signed<Head>> genuine;
    private final Map<Place, Hash> shown = new HashMap<>();
    private final Map<Integer, String> proved = new TreeMap<>();
    /** Of whom each client holds a proof. */
    private final Map<Integer, Set<Integer>> complaints = new TreeMap<>();

    private final Map<Integer, Set<Integer>> convictedBy = new TreeMap<>();
    private final Map<Integer, Set<Integer>> excluded = new TreeMap<>();
    private final Map<Integer, Set<String>> banned = new TreeMap<>();
    private final Map<Integer, Integer> slanders = new TreeMap<>();

    private record WrongOne(int client, int server) {}

    /** Of each answer that a client says is wrong, who gave it. */
    private final Map<Hash, WrongOne> wrong = new TreeMap<>();

    /** Of each answer, the correct appservers that found it wrong. */
    private final Map<Hash, Set<Integer>> foundWrong = new HashMap<>();

    ProofsConvict(Participants participants, Predicate<Signed<Head>> genuine) {
        super("G8");
        this.participants = participants;
        this.genuine = genuine;
        on(Fact.Misbehaved.class, fact -> {
            if (participants.provable().contains(fact.server())) {
                proved(fact.server(), "all that it does is proof");
            }
        });
        on(Fact.Blamed.class, fact -> proved(fact.server(), "client " + fact.client() + " holds the proof"));
        on(Fact.Complained.class, fact -> complained(fact.client(), fact.evidence()));
        on(Fact.ClientStopped.class, fact -> {
            complaints.remove(fact.client());
            wrong.values().removeIf(one -> one.client() == fact.client());
        });
        on(Fact.Inspected.class, fact -> {
            if (fact.reply().outcome() == InspectReply.Outcome.DIFFERS) {
                foundWrong
                        .computeIfAbsent(fact.reply().answer(), any -> new TreeSet<>())
                        .add(fact.server());
            }
        });
        on(
                Fact.ProofStored.class,
                fact -> proved(fact.proof().accused(), "appserver " + fact.server() + " holds the proof"));
        on(Fact.Convicted.class, fact -> {
            if (!participants.correct(fact.server())) {
                convictedBy
                        .computeIfAbsent(fact.server(), any -> new TreeSet<>())
                        .add(fact.replica());
            }
        });
        on(
                Fact.ReplicaCrashed.class,
                fact -> convictedBy.values().forEach(replicas -> replicas.remove(fact.replica())));
        on(Fact.Crashed.class, fact -> crashed(fact.server()));
        on(Fact.FalseComplaint.class, fact -> falseComplaint(fact.server(), fact.finding()));
        on(Fact.SlandererRefused.class, fact -> slanders.remove(fact.server()));
        on(Fact.HeadsSent.class, fact -> headsSent(fact.server(), fact.heads()));
        // Two heads prove something while the first one is kept; the size below which heads are pruned only grows.
        on(
                Fact.EntriesPruned.class,
                fact -> shown.keySet()
                        .removeIf(place -> place.server() == fact.server()
                                && place.origin() == fact.origin()
                                && place.size() <= fact.entries()));
        on(Fact.HeadsReceived.class, fact -> headsReceived(fact.server(), fact.heads()));
        on(Fact.Adopted.class, fact -> {
            Set<Integer> out = excluded.computeIfAbsent(fact.server(), any -> new TreeSet<>());
            fact.certificate().content().exclusions().forEach(one -> out.add(one.origin()));
        });
        on(Fact.ClientsBanned.class, fact -> banned.put(fact.server(), Set.copyOf(fact.clients())));
        on(Fact.Ended.class, fact -> waiting().stream().findFirst().ifPresent(this::violated));
    }

    private void proved(int accused, String how) {
        if (!participants.correct(accused)) {
            proved.putIfAbsent(accused, how);
        }
    }

    private void complained(int client, Evidence evidence) {
        if (evidence.accused() instanceof Accused.Server accused && !participants.correct(accused.index())) {
            if (evidence instanceof WrongAnswer answer) {
                wrong.put(answer.response().identity(), new WrongOne(client, accused.index()));
            } else {
                complaints.computeIfAbsent(client, any -> new TreeSet<>()).add(accused.index());
            }
        }
    }

    /** Whom to exclude, and who holds the proof. */
    private Map<Integer, String> held() {
        Map<Integer, String> all = new TreeMap<>(proved);
        complaints.forEach((client, accused) ->
                accused.forEach(one -> all.putIfAbsent(one, "client " + client + " holds the proof")));
        convictedBy.forEach((accused, replicas) -> {
            if (!replicas.isEmpty()) {
                all.putIfAbsent(accused, "the bftservers " + replicas + " convicted it");
            }
        });
        wrong.forEach((answer, one) -> {
            Set<Integer> found = foundWrong.getOrDefault(answer, Set.of());
            if (found.size() >= participants.quorums().oneCorrectAppserver()) {
                all.putIfAbsent(
                        one.server(), "the appservers " + found + " found an answer of it wrong, as a client says");
            }
        });
        return all;
    }

    private void crashed(int server) {
        shown.keySet().removeIf(place -> place.server() == server);
        foundWrong.values().forEach(found -> found.remove(server));
        slanders.remove(server);
    }

    private void falseComplaint(int server, Finding finding) {
        if (finding != Finding.FALSE) {
            violated(
                    "appserver " + server + " finds a complaint " + finding + " that is false by its signatures alone");
        } else if (slanders.merge(server, 1, Integer::sum) > FALSE_COMPLAINTS) {
            violated("appserver " + server + " goes on to take the complaints of a client of whom " + FALSE_COMPLAINTS
                    + " were false by their signatures alone");
        }
    }

    private void headsSent(int server, List<Signed<Head>> heads) {
        for (Signed<Head> head : heads) {
            if (!participants.correct(head.message().origin())) {
                shown.put(
                        new Place(
                                server, head.message().origin(), head.message().size()),
                        head.message().root());
            }
        }
    }

    private void headsReceived(int server, List<Signed<Head>> heads) {
        for (Signed<Head> head : heads) {
            Head told = head.message();
            Hash known = shown.get(new Place(server, told.origin(), told.size()));
            if (known != null
                    && !known.equals(told.root())
                    && !excluded.getOrDefault(server, Set.of()).contains(told.origin())
                    && genuine.test(head)) {
                proved(told.origin(), "appserver " + server + " has two heads of size " + told.size());
            }
        }
    }

    @Override
    public List<String> waiting() {
        List<String> open = new ArrayList<>();
        Set<String> out = new TreeSet<>();
        banned.values().forEach(out::addAll);
        for (int server : participants.correctAppservers()) {
            held().forEach((accused, how) -> {
                if (!excluded.getOrDefault(server, Set.of()).contains(accused)) {
                    open.add("appserver " + accused + " is not excluded at appserver " + server + ": " + how);
                }
            });
            for (String client : out) {
                if (!banned.getOrDefault(server, Set.of()).contains(client)) {
                    open.add("appserver " + server + " does not refuse " + client + ", which another refuses for good");
                }
            }
        }
        return open;
    }
}
