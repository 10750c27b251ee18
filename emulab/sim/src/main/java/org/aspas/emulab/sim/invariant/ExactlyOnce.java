package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.RequestName;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.model.CountedUpdate;

/**
 * G7: the effect of an update is counted exactly once. What the reference model counts for a correct client is what that
 * client's application submitted, and no more often than it did, and nothing that the client reported to have no effect or
 * forgot unsigned; every value follows from what counted (G2). Besides, and without the model, each client has a counter
 * that it alone changes: when all came to rest its value is what was submitted, and neither reported nor forgotten. Over all clients with
 * one key, each update counts in the end that a client told its application to be answered, whether or not that client still has its record.
 */
final class ExactlyOnce extends Invariant {
    private record Wanted(int client, String key, String type, Operation operation) {}

    private final Reference reference;
    private final Map<Wanted, Integer> left = new HashMap<>();
    private final Map<String, Long> submitted = new HashMap<>();
    /** What clients have forgotten that they had signed: it counts once or not at all. */
    private final Map<RequestName, ClientUpdate> undecided = new LinkedHashMap<>();

    private final Map<RequestName, ClientUpdate> answered = new LinkedHashMap<>();

    ExactlyOnce(Reference reference) {
        super("G7");
        this.reference = reference;
        on(Fact.Submitted.class, fact -> submitted(fact.update()));
        on(Fact.UpdateForgotten.class, fact -> takeBack(fact.update()));
        on(Fact.UpdateFailed.class, fact -> takeBack(fact.update()));
        on(Fact.SignedUpdateForgotten.class, fact -> undecided.put(fact.name(), fact.update()));
        on(Fact.Answered.class, fact -> answered.putIfAbsent(fact.name(), fact.update()));
        on(
                Fact.ShareSent.class,
                reference.whenFirstSigned(
                        (content, findings) -> findings.counted().forEach(this::counted)));
        on(Fact.Ended.class, fact -> {
            if (fact.unsettled().isEmpty()) {
                countersAreRight(fact.reads());
                answeredCount();
            }
        });
    }

    /** What an update of a counter adds. */
    private static long amount(ClientUpdate update) {
        if (!(update.operation().argument() instanceof Value.Int amount)) {
            return 0;
        }
        return update.operation().name().equals("increment") ? amount.value() : -amount.value();
    }

    private void submitted(ClientUpdate update) {
        left.merge(wanted(update), 1, Integer::sum);
        if (update.key().equals("counter/" + update.client())) {
            submitted.merge(update.key(), amount(update), Long::sum);
        }
    }

    private void takeBack(ClientUpdate update) {
        submitted.computeIfPresent(update.key(), (key, sum) -> sum - amount(update));
        if (left.merge(wanted(update), -1, Integer::sum) < 0) {
            violated(update + " has an effect, and its client said that it has none");
        }
    }

    private static Wanted wanted(ClientUpdate update) {
        return new Wanted(update.client(), update.key(), update.type(), update.operation());
    }

    private void counted(CountedUpdate counted) {
        reference.index(counted.client()).ifPresent(client -> claim(client, counted));
    }

    private void claim(int client, CountedUpdate counted) {
        Request request = counted.request();
        Wanted wanted = new Wanted(client, request.key(), request.type(), request.operation());
        if (left.merge(wanted, -1, Integer::sum) < 0) {
            violated("certificate " + counted.certificate() + " counts update " + request.number() + " of client "
                    + client + ", " + request.operation() + " of " + request.key()
                    + ", more often than its application asked for that");
        }
    }

    private void countersAreRight(List<FinalRead> reads) {
        undecided.forEach((name, update) -> {
            if (reference.counted(name.client(), name.number()).isEmpty()) {
                takeBack(update);
            }
        });
        for (FinalRead read : reads) {
            Long sum = submitted.get(read.key());
            if (sum == null || !(read.value() instanceof Value.Int number)) {
                continue;
            }
            if (number.value() != sum) {
                violated((read.certified() ? "certified " : "live ") + read.key() + " is " + number.value()
                        + " at appserver " + read.server() + " where " + sum + " is right");
            }
        }
    }

    private void answeredCount() {
        answered.forEach((name, update) -> {
            boolean counts = reference
                    .counted(name.client(), name.number())
                    .filter(one -> one.request().key().equals(update.key())
                            && one.request().operation().equals(update.operation()))
                    .isPresent();
            if (!counts) {
                violated(update + ", answered as " + name + ", does not count");
            }
        });
    }
}
