package org.aspas.emulab.baselines.obft.core;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proof;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Report;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Step;
import org.jspecify.annotations.Nullable;

/** Writes the fields of one message. Not thread-safe; used once. */
final class ObftWriter {
    static final int INTEGER = 0;
    static final int TEXT = 1;
    static final int BLOB = 2;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(256);

    byte[] toBytes() {
        return out.toByteArray();
    }

    ObftWriter kind(int kind) {
        out.write(kind);
        return this;
    }

    ObftWriter flag(boolean flag) {
        return kind(flag ? 1 : 0);
    }

    ObftWriter step(Step step) {
        return flag(step == Step.COMMIT);
    }

    /** A number from 0. */
    ObftWriter number(long number) {
        long rest = number;
        while (rest > 0x7f) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        return kind((int) rest);
    }

    private ObftWriter integer(long any) {
        out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(any).array());
        return this;
    }

    ObftWriter bytes(byte[] bytes) {
        number(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    ObftWriter text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    ObftWriter hash(Hash hash) {
        out.writeBytes(hash.toBytes());
        return this;
    }

    <T> ObftWriter list(Collection<T> items, Consumer<T> writer) {
        number(items.size());
        items.forEach(writer);
        return this;
    }

    <T> ObftWriter optional(@Nullable T item, Consumer<T> writer) {
        flag(item != null);
        if (item != null) {
            writer.accept(item);
        }
        return this;
    }

    ObftWriter vector(VersionVector vector) {
        for (long component : vector.toArray()) {
            number(component);
        }
        return this;
    }

    ObftWriter operation(Operation operation) {
        return text(operation.name()).list(operation.arguments(), this::value);
    }

    ObftWriter value(Value value) {
        if (value instanceof Value.Int integer) {
            return kind(INTEGER).integer(integer.value());
        } else if (value instanceof Value.Text text) {
            return kind(TEXT).text(text.value());
        } else if (value instanceof Value.Blob blob) {
            return kind(BLOB).bytes(blob.toBytes());
        }
        return kind(BLOB + 1).list(((Value.Sequence) value).items(), this::value);
    }

    ObftWriter set(AgreedSet set) {
        number(set.epoch()).vector(set.cut());
        set.heads().forEach(this::hash);
        return this;
    }

    ObftWriter proof(Proof proof) {
        step(proof.step()).number(proof.round()).set(proof.set());
        return list(
                new TreeMap<>(proof.signatures()).entrySet(),
                signed -> number(signed.getKey()).bytes(signed.getValue()));
    }

    /** Logs are mostly equal, so that each is written once: as many bytes say which one a report has. */
    ObftWriter reports(List<Report> reports) {
        List<List<List<Hash>>> logs = new ArrayList<>();
        return list(reports, report -> {
            number(report.reporter()).number(report.epoch()).bytes(report.signature());
            int known = logs.indexOf(report.chains());
            number(known < 0 ? logs.size() : known);
            if (known < 0) {
                logs.add(report.chains());
                report.chains().forEach(chain -> list(chain, this::hash));
            }
        });
    }

    /** The encoding of a log, which its reporter signs the hash of. */
    ObftWriter chains(List<List<Hash>> chains) {
        chains.forEach(chain -> list(chain, this::hash));
        return this;
    }
}
