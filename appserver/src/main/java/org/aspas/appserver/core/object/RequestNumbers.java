package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Counted;
import org.aspas.crdt.clock.Dot;
import org.jspecify.annotations.Nullable;

/**
 * Which entry counts for each request number of each client: the certified one, and before there is any, the first one that
 * was delivered here. For one thread.
 */
public final class RequestNumbers {
    /** The delivered entries of one number that is not certified; the first of them counts until a certificate decides. */
    private static final class Slot {
        final DeliveredUpdate first;
        final List<DeliveredUpdate> others = new ArrayList<>(0);
        /** Whether another content came, so that signatures were asked for. */
        boolean contested;
        /** Of a contested number, the first content that its client signed; it stays the same when that entry is taken back. */
        @Nullable
        DeliveredUpdate signed;

        Slot(DeliveredUpdate first) {
            this.first = first;
        }
    }

    /** Who tells what clients signed, and is told what two contents under one number prove. */
    public interface Judge {
        boolean signed(DeliveredUpdate update);

        /** An update is not signed by its client, so that a tag let it in. */
        void unsigned(DeliveredUpdate update);

        /** A client signed two contents under one number. */
        void reused(DeliveredUpdate one, DeliveredUpdate other);
    }

    private final Map<ClientId, CertifiedClient> clients = new HashMap<>();
    private final Map<ClientId, Map<Long, Slot>> slots = new HashMap<>();

    RequestNumbers() {}

    boolean certified(ClientId client, long number) {
        CertifiedClient record = clients.get(client);
        return record != null && record.counts(number);
    }

    /** The entry that counts for a certified number, unless it lies too far back. */
    public Optional<Counted> counted(ClientId client, long number) {
        CertifiedClient record = clients.get(client);
        return record == null || !record.counts(number) ? Optional.empty() : record.find(number);
    }

    /** The entry that counts now for the number of a held update, unless it lies too far back. */
    Optional<Counted> counting(DeliveredUpdate update) {
        ClientId client = update.request().client();
        long number = update.request().number();
        if (certified(client, number)) {
            return counted(client, number);
        }
        return Optional.ofNullable(slot(client, number)).map(slot -> slot.first.counted());
    }

    /** An update was delivered: it joins the others of its number, unless the number is certified. */
    void hold(DeliveredUpdate update) {
        ClientId client = update.request().client();
        long number = update.request().number();
        if (certified(client, number)) {
            return;
        }
        Map<Long, Slot> ofClient = slots.computeIfAbsent(client, any -> new HashMap<>());
        Slot slot = ofClient.get(number);
        if (slot == null) {
            ofClient.put(number, new Slot(update));
        } else {
            slot.others.add(update);
        }
    }

    private @Nullable Slot slot(ClientId client, long number) {
        return slots.getOrDefault(client, Map.of()).get(number);
    }

    /**
     * Compares an update that is about to be held with the delivered, uncertified ones of its number. No signature is asked for before two
     * contents are there, and then that of each once: whatever badly signed ones come first, two that were signed are found.
     */
    public void compare(DeliveredUpdate update, Judge judge) {
        Slot slot = slot(update.request().client(), update.request().number());
        if (slot == null || !(slot.contested || differs(slot, update))) {
            return;
        }
        if (!slot.contested) {
            slot.contested = true;
            examine(slot, slot.first, judge);
            slot.others.forEach(other -> examine(slot, other, judge));
        }
        examine(slot, update, judge);
    }

    private static void examine(Slot slot, DeliveredUpdate update, Judge judge) {
        DeliveredUpdate known = slot.signed;
        if (!judge.signed(update)) {
            judge.unsigned(update);
        } else if (known == null) {
            slot.signed = update;
        } else if (!known.identity().equals(update.identity())) {
            judge.reused(known, update);
        }
    }

    private static boolean differs(Slot slot, DeliveredUpdate update) {
        return !slot.first.identity().equals(update.identity());
    }

    /** Whether some delivered or certified entry has a request number of the client. */
    public boolean knows(ClientId client, long number) {
        return certified(client, number) || slot(client, number) != null;
    }

    /** Whether another content may have been delivered under the number of an update that comes now. */
    boolean contests(DeliveredUpdate update) {
        ClientId client = update.request().client();
        long number = update.request().number();
        if (certified(client, number)) {
            return counted(client, number)
                    .filter(one -> one.identity().equals(update.identity()))
                    .isEmpty();
        }
        Slot slot = slot(client, number);
        return slot != null && differs(slot, update);
    }

    /**
     * An entry that carries exactly this request: the one that counts if the request is certified, else a delivered one.
     *
     * @param identity the hash of the signed request
     */
    public Optional<Dot> holding(ClientId client, long number, Hash identity) {
        Optional<Counted> counted =
                counted(client, number).filter(one -> one.identity().equals(identity));
        if (counted.isPresent()) {
            return counted.map(Counted::dot);
        }
        Slot slot = slot(client, number);
        if (slot == null) {
            return Optional.empty();
        }
        return slot.first.identity().equals(identity)
                ? Optional.of(slot.first.dot())
                : slot.others.stream()
                        .filter(other -> other.identity().equals(identity))
                        .map(DeliveredUpdate::dot)
                        .findFirst();
    }

    /** Takes delivered, uncertified updates back; the objects of those that count in their places from now on. */
    Set<ObjectKey> revoke(Predicate<DeliveredUpdate> gone) {
        Set<ObjectKey> affected = new LinkedHashSet<>();
        slots.values().forEach(ofClient -> {
            ofClient.values().removeIf(slot -> {
                slot.others.removeIf(gone);
                return gone.test(slot.first) && slot.others.isEmpty();
            });
            ofClient.replaceAll((number, slot) -> gone.test(slot.first) ? promoted(slot, affected) : slot);
        });
        slots.values().removeIf(Map::isEmpty);
        return affected;
    }

    private static Slot promoted(Slot slot, Set<ObjectKey> affected) {
        Slot next = next(slot);
        affected.add(next.first.object());
        return next;
    }

    private static Slot next(Slot slot) {
        Slot next = new Slot(slot.others.get(0));
        next.others.addAll(slot.others.subList(1, slot.others.size()));
        next.contested = slot.contested;
        next.signed = slot.signed;
        return next;
    }

    CertifiedClient.Change change(ClientId client) {
        CertifiedClient record = clients.get(client);
        return new CertifiedClient.Change(client, record == null ? CertifiedClient.NOBODY : record);
    }

    /** Certifies what a candidate added; the objects whose live views may have shown something else. */
    Set<ObjectKey> commit(Collection<CertifiedClient.Change> changes) {
        Set<ObjectKey> contested = new LinkedHashSet<>();
        for (CertifiedClient.Change change : changes) {
            clients.put(change.client(), change.commit());
            change.added().forEach(counted -> settle(change.client(), counted, contested));
        }
        return contested;
    }

    /** A certificate has an update that cannot count (docs/formats.md §6): it holds its number no more. */
    void drop(DeliveredUpdate update) {
        Map<Long, Slot> ofClient = slots.get(update.request().client());
        Slot slot = ofClient == null ? null : ofClient.get(update.request().number());
        if (ofClient == null || slot == null) {
            return;
        }
        slot.others.removeIf(other -> other.dot().equals(update.dot()));
        if (slot.first.dot().equals(update.dot())) {
            if (slot.others.isEmpty()) {
                ofClient.remove(update.request().number());
            } else {
                ofClient.put(update.request().number(), next(slot));
            }
        }
    }

    private void settle(ClientId client, Counted counted, Set<ObjectKey> contested) {
        Map<Long, Slot> ofClient = slots.get(client);
        Slot slot = ofClient == null ? null : ofClient.remove(counted.number());
        if (slot != null && (!slot.others.isEmpty() || !slot.first.dot().equals(counted.dot()))) {
            contested.add(slot.first.object());
            slot.others.forEach(other -> contested.add(other.object()));
        }
        if (ofClient != null && ofClient.isEmpty()) {
            slots.remove(client);
        }
    }

    // ---- Snapshots ----

    /** Makes these records the certified ones, and forgets the delivered updates that are certified with them. */
    void install(Map<ClientId, CertifiedClient> certified, Predicate<DeliveredUpdate> covered) {
        clients.clear();
        clients.putAll(certified);
        for (Map.Entry<ClientId, Map<Long, Slot>> ofClient : slots.entrySet()) {
            ofClient.getValue().keySet().removeIf(number -> certified(ofClient.getKey(), number));
        }
        revoke(covered);
    }
}
