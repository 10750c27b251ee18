package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.aspas.certify.message.CertificateContent;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Share;
import org.aspas.client.core.Effect;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.model.CountedUpdate;

/**
 * G7: the effect of an update is counted exactly once. What the reference model counts for a correct client is what that
 * client's application submitted, and no more often than it did; every value follows from what counted (G2). Besides, and
 * without the model, each client has a counter that it alone changes: at the end its value lies between what is
 * confirmed and what is submitted, and is exactly the latter when all came to rest at correct appservers.
 */
final class ExactlyOnce extends Invariant {
    private record Wanted(int client, String key, String type, Operation operation) {}

    private final Cast cast;
    private final Reference reference;
    private long judged;
    private final Map<Wanted, Integer> left = new HashMap<>();
    private final Map<String, Long> submitted = new HashMap<>();
    private final Map<String, Long> down = new HashMap<>();
    private final Map<String, Long> up = new HashMap<>();
    private final Map<String, Long> leastAtRest = new HashMap<>();
    private final Map<String, Long> mostAtRest = new HashMap<>();
    private final Map<String, Integer> owners = new HashMap<>();
    private final Set<Integer> forgetful = new HashSet<>();

    ExactlyOnce(Cast cast, Reference reference) {
        super("G7");
        this.cast = cast;
        this.reference = reference;
    }

    /** What an update adds to its client's own counter; 0 for any other update. */
    private static long amount(ClientUpdate update) {
        if (!update.key().equals("counter/" + update.client())
                || !(update.operation().argument() instanceof Value.Int amount)) {
            return 0;
        }
        return update.operation().name().equals("increment") ? amount.value() : -amount.value();
    }

    @Override
    public void onSubmitted(ClientUpdate update) {
        left.merge(new Wanted(update.client(), update.key(), update.type(), update.operation()), 1, Integer::sum);
        if (update.key().equals("counter/" + update.client())) {
            long amount = amount(update);
            submitted.merge(update.key(), amount, Long::sum);
            up.merge(update.key(), Math.max(amount, 0), Long::sum);
            down.merge(update.key(), Math.min(amount, 0), Long::sum);
            owners.put(update.key(), update.client());
        }
    }

    /** What is confirmed is certain: the rest may be missing. */
    @Override
    public void onConfirmed(ClientUpdate update, Effect.Confirmed effect) {
        if (update.key().equals("counter/" + update.client())) {
            long amount = amount(update);
            (amount > 0 ? down : up).merge(update.key(), amount, Long::sum);
        }
    }

    @Override
    public void onShare(Share share) {
        CertificateContent content = share.content().message();
        if (cast.lyingReplicas().contains(share.replica()) || content.number() <= judged) {
            return;
        }
        judged = content.number();
        for (CountedUpdate counted : reference.signed(content).counted()) {
            reference.index(counted.client()).ifPresent(client -> claim(client, counted));
        }
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

    @Override
    public void onRestarted(int client) {
        forgetful.add(client);
    }

    @Override
    public void onRest() {
        leastAtRest.putAll(down);
        mostAtRest.putAll(up);
    }

    @Override
    public void onEnd(Ending ending) {
        if (!ending.unsettled().isEmpty()) {
            return;
        }
        for (FinalRead read : ending.reads()) {
            Long sum = submitted.get(read.key());
            if (sum == null || !(read.value() instanceof Value.Int number)) {
                continue;
            }
            int owner = owners.getOrDefault(read.key(), 0);
            boolean exact = cast.atCorrectServer(owner) && !forgetful.contains(owner);
            long least = exact ? sum : leastAtRest.getOrDefault(read.key(), 0L);
            long most = exact ? sum : mostAtRest.getOrDefault(read.key(), 0L);
            if (number.value() < least || number.value() > most) {
                violated((read.certified() ? "certified " : "live ") + read.key() + " is " + number.value()
                        + " at appserver " + read.server() + " where " + least + " to " + most + " is right");
            }
        }
    }
}
