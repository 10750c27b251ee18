package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.Failure;
import org.aspas.crdt.clock.Dot;
import org.aspas.emulab.sim.model.ReferenceModel;

/**
 * G6: a correct appserver is never excluded or accused, and a correct client never refused. To that belongs that a correct
 * appserver gives nobody the means: it never signs two logs, nor two entries for one dot, whatever crashes it had, nor that
 * a correct appserver's answer is wrong; and a correct client at a correct appserver never finds an answer to be wrong.
 */
final class NoFalseBlame extends Invariant {
    private record Place(int origin, long size) {}

    private final Participants participants;
    private final Map<Place, Hash> heads = new HashMap<>();
    private final Map<Dot, Hash> leaves = new HashMap<>();
    private final Set<Hash> answers = new HashSet<>();
    private final Map<String, Set<String>> types = new HashMap<>();
    private final Map<Integer, Set<String>> used = new HashMap<>();
    private final Map<ClientId, Integer> owners = new HashMap<>();
    private final Map<RequestName, String> keys = new HashMap<>();

    NoFalseBlame(Participants participants) {
        super("G6");
        this.participants = participants;
    }

    @Override
    public void onAdopted(int server, Certificate certificate) {
        for (Exclusion exclusion : certificate.content().exclusions()) {
            if (participants.blameless(exclusion.origin())) {
                violated("certificate " + certificate.number() + " excludes appserver " + exclusion.origin()
                        + ", which is correct");
            }
        }
    }

    @Override
    public void onConvicted(int replica, int server) {
        if (participants.blameless(server)) {
            violated("bftserver " + replica + " convicts appserver " + server + ", which is correct");
        }
    }

    @Override
    public void onBlamed(int client, int server) {
        if (participants.correct(server)) {
            violated("client " + client + " holds appserver " + server + ", which is correct, for convicted");
        }
    }

    @Override
    public void onComplaint(int client, Evidence evidence) {
        if (evidence.accused() instanceof Accused.Server accused && participants.correct(accused.index())) {
            violated("client " + client + " complains of appserver " + accused.index() + ", which is correct");
        }
    }

    @Override
    public void onNotVerified(int client, int server, Failure.NotVerified finding) {
        if (participants.correct(server)) {
            violated("client " + client + " finds appserver " + server + ", which is correct, wrong: " + finding);
        }
    }

    @Override
    public void onHead(int server, Head head) {
        Hash known = heads.putIfAbsent(new Place(server, head.size()), head.root());
        if (known != null && !known.equals(head.root())) {
            violated("appserver " + server + ", which is correct, signed two logs of size " + head.size());
        }
    }

    @Override
    public void onResponse(int server, Signed<Response> signed) {
        Response response = signed.message();
        answers.add(signed.identity());
        Dot dot = response.dot();
        Hash leaf = response.leaf();
        if (dot != null && leaf != null) {
            Hash known = leaves.putIfAbsent(dot, leaf);
            if (known != null && !known.equals(leaf)) {
                violated("appserver " + server + ", which is correct, gave two updates the dot " + dot);
            }
        }
    }

    @Override
    public void onInspected(int server, InspectReply reply) {
        if (reply.outcome() == InspectReply.Outcome.DIFFERS && answers.contains(reply.answer())) {
            violated("appserver " + server + " signed that an answer is wrong which a correct appserver gave");
        }
    }

    @Override
    public void onAlarm(int server, Alarm alarm) {
        accused(alarm).filter(participants::blameless).ifPresent(other -> {
            violated("appserver " + server + " accuses appserver " + other + ", which is correct: " + alarm);
        });
        if (alarm instanceof Alarm.OwnEntriesLost) {
            violated("appserver " + server + " forgot what it had sent: " + alarm);
        }
    }

    private static Optional<Integer> accused(Alarm alarm) {
        if (alarm instanceof Alarm.ForkedLog forked) {
            return Optional.of(forked.origin());
        } else if (alarm instanceof Alarm.BrokenLog broken) {
            return Optional.of(broken.origin());
        } else if (alarm instanceof Alarm.ProvedFaulty proved) {
            return Optional.of(proved.accused());
        } else if (alarm instanceof Alarm.Excluded excluded) {
            return Optional.of(excluded.origin());
        } else if (alarm instanceof Alarm.LogTakenBack other) {
            return Optional.of(other.origin());
        } else if (alarm instanceof Alarm.ForgedSnapshot forged) {
            return Optional.of(forged.server());
        }
        return Optional.empty();
    }

    @Override
    public void onRefusal(int server, int client, Refusal refusal) {
        switch (refusal.reason()) {
            case MALFORMED,
                    BAD_SIGNATURE,
                    UNKNOWN_CLIENT,
                    NUMBER_REUSED,
                    BAD_OPERATION,
                    TOO_LARGE,
                    EXCLUDED,
                    FALSE_COMPLAINTS -> violated("appserver " + server + " refuses client " + client + ": " + refusal);
            case WRONG_TYPE -> wrongType(server, client, refusal);
            default -> {
                // Transient: the client tries again.
            }
        }
    }

    /**
     * A key that is used with two types can meet with one: at the update, its repetition, or its inspection. Where the refusal names no
     * update that is known, any such key of its client may be meant.
     */
    private void wrongType(int server, int client, Refusal refusal) {
        String key = refusal.read() ? null : keys.get(new RequestName(refusal.client(), refusal.reference()));
        int whose = owners.getOrDefault(refusal.client(), client);
        boolean contested = key != null
                ? contested(key)
                : used.getOrDefault(whose, Set.of()).stream().anyMatch(this::contested);
        if (!contested) {
            violated("appserver " + server + " says that client " + client + " mistakes a type: " + refusal);
        }
    }

    private boolean contested(String key) {
        return types.getOrDefault(key, Set.of()).size() > 1;
    }

    @Override
    public void onSubmitted(ClientUpdate update) {
        types.computeIfAbsent(update.key(), any -> new HashSet<>()).add(update.type());
        used.computeIfAbsent(update.client(), any -> new HashSet<>()).add(update.key());
    }

    @Override
    public void onEntered(ClientUpdate update, RequestName name) {
        keys.put(name, update.key());
    }

    /** Whoever goes on from a copy of another one's record uses the keys in it. */
    @Override
    public void onRecordReplaced(int client, Set<RequestName> held) {
        for (RequestName name : held) {
            String key = keys.get(name);
            if (key != null) {
                used.computeIfAbsent(client, any -> new HashSet<>()).add(key);
            }
        }
    }

    /** Whoever sends first for a client is that client; others have a copy of its record. */
    @Override
    public void onSent(int client, Request request, boolean durable) {
        owners.putIfAbsent(request.client(), client);
    }

    /** A client refuses its own application only what the type does not have: no workload's key or request is too long. */
    @Override
    public void onReported(ClientUpdate update, Failure why) {
        if (why instanceof Failure.Invalid && ReferenceModel.admits(update.type(), update.operation())) {
            violated("client " + update.client() + " refuses " + update + ", which its type has: " + why);
        }
    }

    @Override
    public void onFailed(int client, Failure failure) {
        if (failure instanceof Failure.NotVerified && participants.atCorrectServer(client)) {
            violated("client " + client + " blames a correct appserver: " + failure);
        }
    }

    @Override
    public void onEnded(int client, Failure why) {
        violated("client " + client + ", which is correct, was ended: " + why);
    }
}
