package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Refusal;
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
 *
 * <p>Two answers would convict their server, too: of two answers of a correct appserver to one client the later one, by the server's own
 * sequence, never names an older certificate, whatever crashes lie between; and no sequence number is used twice.
 */
final class NoFalseBlame extends Invariant {
    private record Place(int origin, long size) {}

    private record Pair(int server, ClientId client) {}

    private record Answer(Hash identity, CertificateNumber certificate) {}

    private final Participants participants;
    private final Map<Place, Hash> heads = new HashMap<>();
    private final Map<Dot, Hash> leaves = new HashMap<>();
    private final Set<Hash> answers = new HashSet<>();
    private final Map<Pair, TreeMap<Long, Answer>> answersInOrder = new HashMap<>();
    private final Map<String, Set<String>> types = new HashMap<>();
    private final Map<Integer, Set<String>> used = new HashMap<>();
    private final Map<ClientId, Integer> owners = new HashMap<>();
    private final Map<RequestName, String> keys = new HashMap<>();

    NoFalseBlame(Participants participants) {
        super("G6");
        this.participants = participants;
        on(Fact.Adopted.class, fact -> adopted(fact.certificate()));
        on(Fact.Convicted.class, fact -> {
            if (participants.blameless(fact.server())) {
                violated("bftserver " + fact.replica() + " convicts appserver " + fact.server() + ", which is correct");
            }
        });
        on(Fact.Blamed.class, fact -> {
            if (participants.correct(fact.server())) {
                violated("client " + fact.client() + " holds appserver " + fact.server()
                        + ", which is correct, for convicted");
            }
        });
        on(Fact.Complained.class, fact -> {
            if (fact.evidence().accused() instanceof Accused.Server accused && participants.correct(accused.index())) {
                violated("client " + fact.client() + " complains of appserver " + accused.index()
                        + ", which is correct");
            }
        });
        on(Fact.NotVerified.class, fact -> {
            if (participants.correct(fact.server())) {
                violated("client " + fact.client() + " finds appserver " + fact.server() + ", which is correct, wrong: "
                        + fact.finding());
            }
        });
        on(Fact.OwnHeadSent.class, fact -> headSent(fact.server(), fact.head()));
        on(Fact.Responded.class, fact -> {
            answers.add(fact.response().identity());
            oneLeaf(fact.server(), fact.response().message());
            inOrder(fact.server(), fact.response());
        });
        on(Fact.Inspected.class, fact -> {
            if (fact.reply().outcome() == InspectReply.Outcome.DIFFERS
                    && answers.contains(fact.reply().answer())) {
                violated("appserver " + fact.server()
                        + " signed that an answer is wrong which a correct appserver gave");
            }
        });
        on(Fact.Alarmed.class, fact -> alarmed(fact.server(), fact.alarm()));
        on(Fact.Refused.class, fact -> refused(fact.server(), fact.client(), fact.refusal()));
        on(Fact.Submitted.class, fact -> submitted(fact.update()));
        on(Fact.Entered.class, fact -> keys.put(fact.name(), fact.update().key()));
        on(Fact.RecordReplaced.class, fact -> recordReplaced(fact.client(), fact.held()));
        // Whoever sends first for a client is that client; others have a copy of its record.
        on(Fact.RequestSent.class, fact -> owners.putIfAbsent(fact.request().client(), fact.client()));
        on(Fact.UpdateFailed.class, fact -> updateFailed(fact.update(), fact.why()));
        on(Fact.Failed.class, fact -> {
            if (fact.failure() instanceof Failure.NotVerified && participants.atCorrectServer(fact.client())) {
                violated("client " + fact.client() + " blames a correct appserver: " + fact.failure());
            }
        });
        on(
                Fact.ClientEnded.class,
                fact -> violated("client " + fact.client() + ", which is correct, was ended: " + fact.why()));
    }

    private void adopted(Certificate certificate) {
        for (Exclusion exclusion : certificate.content().exclusions()) {
            if (participants.blameless(exclusion.origin())) {
                violated("certificate " + certificate.number() + " excludes appserver " + exclusion.origin()
                        + ", which is correct");
            }
        }
    }

    private void headSent(int server, Head head) {
        Hash known = heads.putIfAbsent(new Place(server, head.size()), head.root());
        if (known != null && !known.equals(head.root())) {
            violated("appserver " + server + ", which is correct, signed two logs of size " + head.size());
        }
    }

    private void oneLeaf(int server, Response response) {
        Dot dot = response.dot();
        Hash leaf = response.leaf();
        if (dot != null && leaf != null) {
            Hash known = leaves.putIfAbsent(dot, leaf);
            if (known != null && !known.equals(leaf)) {
                violated("appserver " + server + ", which is correct, gave two updates the dot " + dot);
            }
        }
    }

    private void inOrder(int server, Signed<Response> signed) {
        Response response = signed.message();
        if (response.client().equals(ClientId.NOBODY)) {
            return; // No client: nobody can hold two such answers against each other.
        }
        TreeMap<Long, Answer> known =
                answersInOrder.computeIfAbsent(new Pair(server, response.client()), any -> new TreeMap<>());
        long sequence = response.sequence();
        Answer same = known.putIfAbsent(sequence, new Answer(signed.identity(), response.certificate()));
        if (same != null && !same.identity().equals(signed.identity())) {
            violated("appserver " + server + ", which is correct, gave two answers the number " + sequence);
        }
        var before = known.lowerEntry(sequence);
        var after = known.higherEntry(sequence);
        boolean wentBack = before != null && before.getValue().certificate().isAfter(response.certificate());
        boolean goesBack =
                after != null && response.certificate().isAfter(after.getValue().certificate());
        if (wentBack || goesBack) {
            violated("appserver " + server + ", which is correct, named certificate " + response.certificate()
                    + " in answer " + sequence + " and an older one in a later answer");
        }
    }

    private void alarmed(int server, Alarm alarm) {
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

    private void refused(int server, int client, Refusal refusal) {
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

    private void submitted(ClientUpdate update) {
        types.computeIfAbsent(update.key(), any -> new HashSet<>()).add(update.type());
        used.computeIfAbsent(update.client(), any -> new HashSet<>()).add(update.key());
    }

    /** Whoever goes on from a copy of another one's record uses the keys in it. */
    private void recordReplaced(int client, Set<RequestName> held) {
        for (RequestName name : held) {
            String key = keys.get(name);
            if (key != null) {
                used.computeIfAbsent(client, any -> new HashSet<>()).add(key);
            }
        }
    }

    /** A client refuses its own application only what the type does not have: no workload's key or request is too long. */
    private void updateFailed(ClientUpdate update, Failure why) {
        if (why instanceof Failure.Invalid && ReferenceModel.admits(update.type(), update.operation())) {
            violated("client " + update.client() + " refuses " + update + ", which its type has: " + why);
        }
    }
}
