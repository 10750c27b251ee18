package org.aspas.emulab.sim.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.client.api.ClientRecord;
import org.aspas.client.api.ClientStateStore;
import org.aspas.client.core.ClientState;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a client: the production {@link ClientRecord} on files. When the process ends in a save, or the disk is full,
 * part of the save is there, and the record is the one before.
 */
public final class ClientDisk implements ClientStateStore {
    private static final JournalLimits LIMITS = new JournalLimits(4096, ClientRecord.LIMITS.recordBytes());
    /** The group at the end of a closed journal, and the zeros that its checksum may end with. */
    private static final int END = 52;

    private static final String MANIFEST = "journal.manifest";
    /** There is only one. */
    private static final Hash DEPLOYMENT = Hash.ZERO;

    private final SeededRandom chance;
    private final RecordDisk disk;
    private @Nullable ClientRecord record;
    private Optional<ClientState> state = Optional.empty();
    private @Nullable Map<String, byte[]> intact;
    private boolean tears;
    private boolean full;
    private boolean forgot;

    ClientDisk(String name, SeededRandom chance) {
        this.chance = chance;
        this.disk = new RecordDisk(name, chance);
    }

    @Override
    public Optional<ClientState> load() {
        try {
            ClientRecord opened = ClientRecord.open(disk, DEPLOYMENT, LIMITS);
            record = opened;
            return opened.state();
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    @Override
    public void save(ClientState state) {
        ClientRecord present = Objects.requireNonNull(record, "a client loads its record before it saves");
        Map<String, byte[]> before = full || tears ? disk.content() : Map.of();
        try {
            present.save(state);
        } catch (IOException refused) {
            disk.hold(before);
            throw new UncheckedIOException(refused);
        }
        if (tears) {
            tears = false;
            disk.hold(torn(before, disk.content()));
            throw new UncheckedIOException(new IOException("the process has ended"));
        }
    }

    /** What a save left that lacks at least the last byte that it wrote; nothing of one that began a segment. */
    private Map<String, byte[]> torn(Map<String, byte[]> before, Map<String, byte[]> after) {
        for (Map.Entry<String, byte[]> file : before.entrySet()) {
            byte[] old = file.getValue();
            byte[] written = after.getOrDefault(file.getKey(), old);
            int first = Arrays.mismatch(old, written);
            if (first >= 0 && before.keySet().equals(after.keySet()) && old.length == written.length) {
                int last = old.length - 1;
                while (old[last] == written[last]) {
                    last--;
                }
                System.arraycopy(written, first, old, first, chance.index(last - first + 1));
                return before;
            }
        }
        return before;
    }

    /** Lets the process end in the middle of the next save; or no more. */
    public void tear(boolean begins) {
        tears = begins;
    }

    /** Makes it full, or gives it room again. */
    public void full(boolean begins) {
        full = begins;
        if (begins) {
            disk.faults().fill(() -> true);
        } else {
            disk.faults().empty();
        }
    }

    /**
     * Turns one bit around of what is proved to have been durable, if it holds anything; whether that did any harm. A process had
     * it open and closed it in order: without that, damage of the last group passes for a write that was interrupted. A bit of a
     * group without records harms nothing.
     */
    public boolean damage() {
        if (intact != null) {
            return true;
        }
        if (!disk.names().contains(MANIFEST)) {
            return false;
        }
        disk.faults().calmly(this::read);
        Map<String, byte[]> whole = disk.content();
        Optional<ClientState> held = state;
        Map<String, byte[]> damaged = disk.content();
        String newest = damaged.keySet().stream()
                .filter(name -> name.startsWith("journal-"))
                .reduce("", (a, b) -> b);
        String chosen = chance.pick(List.of(MANIFEST, newest));
        byte[] bytes = Objects.requireNonNull(damaged.get(chosen));
        int used = bytes.length;
        while (bytes[used - 1] == 0) {
            used--;
        }
        bytes[chance.index(used - (chosen.equals(newest) ? END : 0))] ^= (byte) (1 << chance.index(Byte.SIZE));
        disk.hold(damaged);
        if (harmless(held)) {
            disk.hold(whole);
            return false;
        }
        intact = whole;
        disk.hold(damaged);
        return true;
    }

    private boolean harmless(Optional<ClientState> held) {
        try {
            disk.faults().calmly(this::read);
            return state.equals(held);
        } catch (UncheckedIOException refused) {
            return false;
        }
    }

    /** What a process finds that ends at once, in order. */
    private void read() {
        state = load();
        Objects.requireNonNull(record).close();
    }

    /** Puts the intact files back, which somebody had kept. */
    public void mend() {
        Map<String, byte[]> kept = intact;
        if (kept != null) {
            disk.hold(kept);
            intact = null;
        }
    }

    /** Whether it has lost what it held, or holds something else, since it was last asked. */
    boolean takeForgot() {
        boolean taken = forgot;
        forgot = false;
        return taken;
    }

    /** Holds what another one holds now, and nothing else; of a damaged one, what was there before. */
    public void become(ClientDisk other) {
        Map<String, byte[]> whole = other.intact;
        disk.hold(whole == null ? other.disk.content() : whole);
        intact = null;
        forgot = true;
    }

    public void lose() {
        forgot = true;
        disk.lose();
        intact = null;
    }

    /** Keeps a copy of what it holds now; of a damaged one, of what was there before. */
    public void keepCopy() {
        Map<String, byte[]> whole = intact;
        if (whole == null) {
            disk.keepCopy();
        } else {
            Map<String, byte[]> damaged = disk.content();
            disk.hold(whole);
            disk.keepCopy();
            disk.hold(damaged);
        }
    }

    /** Holds again what it held when the copy was made. */
    public void becomeCopy() {
        forgot = true;
        disk.becomeCopy();
        intact = null;
    }
}
