package org.aspas.certify.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.replica.RecordItem.AcceptedContent;
import org.aspas.certify.replica.RecordItem.Locked;
import org.aspas.certify.replica.RecordItem.Opened;
import org.aspas.certify.replica.RecordItem.SignedShare;
import org.aspas.certify.replica.RecordItem.Taught;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Share;
import org.jspecify.annotations.Nullable;

/**
 * What a durable record holds: for each of the newest {@link #RETAINED} numbers what was accepted last, the proof that is
 * held, and what was signed. Numbers that drop out raise the floor, so that they are never touched again. Not thread-safe.
 */
public final class RecordState {
    /** Of how many numbers the record is kept. */
    public static final int RETAINED = 64;

    private static final Slot EMPTY = new Slot(0, null, null, null);

    private final TreeMap<CertificateNumber, Slot> slots = new TreeMap<>();
    private boolean knowing;
    private CertificateNumber floor = CertificateNumber.NONE;
    private Epoch epoch = Epoch.NONE;

    private record Slot(
            long attempt,
            @Nullable AcceptedContent accepted,
            @Nullable ProvenContent proven,
            @Nullable Share share) {}

    /** A record that is made with its deployment: complete, and without a promise. */
    public static RecordState ofFirstDay() {
        RecordState state = new RecordState();
        state.apply(RecordItem.FIRST_DAY);
        return state;
    }

    /** Takes one item more; the same item again changes nothing. */
    public void apply(RecordItem item) {
        if (item instanceof Taught taught) {
            knowing = true;
            floor = CertificateNumber.max(floor, taught.floor());
        } else if (item instanceof Opened opened) {
            epoch = Epoch.max(epoch, opened.epoch());
        } else if (item instanceof AcceptedContent accepted) {
            Slot slot = slot(accepted.number());
            keep(
                    accepted.number(),
                    new Slot(Math.max(slot.attempt, accepted.attempt()), accepted, slot.proven, slot.share));
        } else if (item instanceof Locked locked) {
            ProvenContent proven = locked.proven();
            Slot slot = slot(proven.number());
            keep(
                    proven.number(),
                    new Slot(Math.max(slot.attempt, proven.attempt()), slot.accepted, proven, slot.share));
        } else if (item instanceof SignedShare signed) {
            Slot slot = slot(signed.number());
            keep(signed.number(), new Slot(slot.attempt, slot.accepted, slot.proven, signed.share()));
        }
    }

    public RecordState copy() {
        RecordState copy = new RecordState();
        items().forEach(copy::apply);
        return copy;
    }

    private Slot slot(CertificateNumber number) {
        return slots.getOrDefault(number, EMPTY);
    }

    private void keep(CertificateNumber number, Slot slot) {
        slots.put(number, slot);
        while (slots.size() > RETAINED) {
            floor = CertificateNumber.max(floor, slots.pollFirstEntry().getKey());
        }
    }

    /** Whether the record is complete: from the deployment's first day, or since others taught this replica. */
    public boolean knowing() {
        return knowing;
    }

    /** Up to which number this replica accepts, commits and signs nothing new. */
    public CertificateNumber floor() {
        return floor;
    }

    /** The highest epoch that was opened or asked for. */
    public Epoch epoch() {
        return epoch;
    }

    /** The highest attempt of a number in which this replica accepted or committed anything; 0 for none. */
    public long attempt(CertificateNumber number) {
        return slot(number).attempt;
    }

    /** Whether exactly this was accepted, and nothing in a later attempt. */
    public boolean accepted(CertificateNumber number, long attempt, Hash content) {
        Slot slot = slot(number);
        AcceptedContent accepted = slot.accepted;
        return slot.attempt == attempt
                && accepted != null
                && accepted.attempt() == attempt
                && accepted.hash().equals(content);
    }

    /** The highest number of which anything was accepted or committed. */
    public CertificateNumber newest() {
        return slots.descendingMap().entrySet().stream()
                .filter(slot -> slot.getValue().attempt > 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(CertificateNumber.NONE);
    }

    public Optional<ProvenContent> proven(CertificateNumber number) {
        return Optional.ofNullable(slot(number).proven);
    }

    /** The proven content with the highest number. */
    public Optional<ProvenContent> newestProven() {
        for (Slot slot : slots.descendingMap().values()) {
            if (slot.proven != null) {
                return Optional.of(slot.proven);
            }
        }
        return Optional.empty();
    }

    public Optional<Share> share(CertificateNumber number) {
        return Optional.ofNullable(slot(number).share);
    }

    /** The retained shares in order of their numbers. */
    public List<Share> shares() {
        List<Share> shares = new ArrayList<>();
        for (Slot slot : slots.values()) {
            if (slot.share != null) {
                shares.add(slot.share);
            }
        }
        return shares;
    }

    /** A shortest list of items that amounts to this state. */
    public List<RecordItem> items() {
        List<RecordItem> items = new ArrayList<>();
        if (knowing) {
            items.add(new Taught(floor));
        }
        items.add(new Opened(epoch));
        for (Slot slot : slots.values()) {
            if (slot.accepted != null) {
                items.add(slot.accepted);
            }
            if (slot.proven != null) {
                items.add(new Locked(slot.proven));
            }
            if (slot.share != null) {
                items.add(new SignedShare(slot.share));
            }
        }
        return items;
    }
}
