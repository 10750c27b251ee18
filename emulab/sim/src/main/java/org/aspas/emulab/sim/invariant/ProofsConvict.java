package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Blacklist.Finding;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
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
    }

    private void proved(int accused, String how) {
        if (!participants.correct(accused)) {
            proved.putIfAbsent(accused, how);
        }
    }

    @Override
    public void onMisdeed(int server) {
        if (participants.provable().contains(server)) {
            proved(server, "all that it does is proof");
        }
    }

    @Override
    public void onBlamed(int client, int server) {
        proved(server, "client " + client + " holds the proof");
    }

    @Override
    public void onComplaint(int client, Evidence evidence) {
        if (evidence.accused() instanceof Accused.Server accused && !participants.correct(accused.index())) {
            if (evidence instanceof WrongAnswer answer) {
                wrong.put(answer.response().identity(), new WrongOne(client, accused.index()));
            } else {
                complaints.computeIfAbsent(client, any -> new TreeSet<>()).add(accused.index());
            }
        }
    }

    @Override
    public void onRestarted(int client) {
        complaints.remove(client);
        wrong.values().removeIf(one -> one.client() == client);
    }

    @Override
    public void onInspected(int server, InspectReply reply) {
        if (reply.outcome() == InspectReply.Outcome.DIFFERS) {
            foundWrong.computeIfAbsent(reply.answer(), any -> new TreeSet<>()).add(server);
        }
    }

    @Override
    public void onProofStored(int server, Alarm.ProvedFaulty proof) {
        proved(proof.accused(), "appserver " + server + " holds the proof");
    }

    @Override
    public void onConvicted(int replica, int server) {
        if (!participants.correct(server)) {
            convictedBy.computeIfAbsent(server, any -> new TreeSet<>()).add(replica);
        }
    }

    @Override
    public void onReplicaCrashed(int replica) {
        convictedBy.values().forEach(replicas -> replicas.remove(replica));
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

    @Override
    public void onCrashed(int server) {
        shown.keySet().removeIf(place -> place.server() == server);
        foundWrong.values().forEach(found -> found.remove(server));
        slanders.remove(server);
    }

    @Override
    public void onFalseComplaint(int server, Finding finding) {
        if (finding != Finding.FALSE) {
            violated(
                    "appserver " + server + " finds a complaint " + finding + " that is false by its signatures alone");
        } else if (slanders.merge(server, 1, Integer::sum) > FALSE_COMPLAINTS) {
            violated("appserver " + server + " goes on to take the complaints of a client of whom " + FALSE_COMPLAINTS
                    + " were false by their signatures alone");
        }
    }

    @Override
    public void onSlandererRefused(int server) {
        slanders.remove(server);
    }

    @Override
    public void onHeadsShown(int server, List<Signed<Head>> heads) {
        for (Signed<Head> head : heads) {
            if (!participants.correct(head.message().origin())) {
                shown.put(
                        new Place(
                                server, head.message().origin(), head.message().size()),
                        head.message().root());
            }
        }
    }

    /** What two heads prove holds while the first one is kept; the size of a log below which heads are forgotten only grows. */
    @Override
    public void onForgotten(int server, int origin, long entries) {
        shown.keySet()
                .removeIf(place -> place.server() == server && place.origin() == origin && place.size() <= entries);
    }

    @Override
    public void onHeadsTaken(int server, List<Signed<Head>> heads) {
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
    public void onAdopted(int server, Certificate certificate) {
        Set<Integer> out = excluded.computeIfAbsent(server, any -> new TreeSet<>());
        for (Exclusion one : certificate.content().exclusions()) {
            out.add(one.origin());
        }
    }

    @Override
    public void onBanned(int server, Set<String> clients) {
        banned.put(server, Set.copyOf(clients));
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

    @Override
    public void onEnd(Ending ending) {
        waiting().stream().findFirst().ifPresent(this::violated);
    }
}
