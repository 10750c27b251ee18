package org.aspas.emulab.sim.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.aspas.client.api.ClientStateFormat;
import org.aspas.client.api.ClientStateStore;
import org.aspas.client.core.port.ClientState;
import org.aspas.emulab.sim.engine.Chance;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a client: the bytes that a production client's file has. A save puts a new file in place of the old one, or
 * leaves the old one.
 */
public final class ClientDisk implements ClientStateStore {
    private final Chance chance;
    private byte @Nullable [] content;
    private byte @Nullable [] intact;
    private byte @Nullable [] copy;
    private boolean tears;
    private boolean full;

    /** An empty disk. */
    ClientDisk(Chance chance) {
        this.chance = chance;
    }

    @Override
    public Optional<ClientState> load() {
        byte[] present = content;
        if (present == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(ClientStateFormat.read(present));
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    @Override
    public void save(ClientState record) {
        if (full || tears) {
            tears = false;
            throw new UncheckedIOException(new IOException(full ? "no space left on device" : "the process has ended"));
        }
        content = ClientStateFormat.write(record);
    }

    /** Lets the process end in the middle of the next save, before the new file is in place; or no more. */
    public void tear(boolean begins) {
        tears = begins;
    }

    /** From now on it takes nothing, or takes everything again. */
    public void full(boolean begins) {
        full = begins;
    }

    /** Turns one bit around, if it holds any; whether it did. */
    public boolean damage() {
        byte[] present = content;
        if (present == null || intact != null) {
            return intact != null;
        }
        intact = present.clone();
        present[chance.index(present.length)] ^= (byte) (1 << chance.index(Byte.SIZE));
        return true;
    }

    /** Puts the intact file back, which somebody had kept. */
    public void mend() {
        if (intact != null) {
            content = intact;
            intact = null;
        }
    }

    /** Forgets everything. */
    public void lose() {
        content = null;
        intact = null;
    }

    /** Keeps a copy of what it holds now. */
    public void keepCopy() {
        copy = content == null ? null : content.clone();
    }

    /** Holds again what it held when the copy was made. */
    public void becomeCopy() {
        content = copy == null ? null : copy.clone();
        intact = null;
    }
}
