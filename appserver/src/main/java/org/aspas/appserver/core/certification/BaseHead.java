package org.aspas.appserver.core.certification;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.crdt.clock.VersionVector;

/**
 * What a base keeps beside the leaves (docs/formats.md, §19).
 *
 * @param snapshot the certificate, and the ends of the logs there
 * @param heads the newest signed head of each log that has one
 */
public record BaseHead(SnapshotHead snapshot, List<Signed<Head>> heads) {
    public BaseHead {
        heads = List.copyOf(heads);
    }

    public byte[] encode() {
        byte[] first = Codec.encode(snapshot);
        byte[] second = Codec.encode(frontier(heads));
        return ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
                .putInt(first.length)
                .put(first)
                .put(second)
                .array();
    }

    static Frontier frontier(List<Signed<Head>> heads) {
        return new Frontier(VersionVector.zero(1), heads, CertificateNumber.NONE);
    }

    public static Optional<BaseHead> decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int length = bytes.length < Integer.BYTES ? -1 : in.getInt();
        if (length < 0 || length > in.remaining()) {
            return Optional.empty();
        }
        byte[] first = new byte[length];
        in.get(first);
        byte[] second = new byte[in.remaining()];
        in.get(second);
        return Codec.decode(first, SnapshotHead.class)
                .accepted()
                .flatMap(snapshot -> Codec.decode(second, Frontier.class)
                        .accepted()
                        .map(frontier -> new BaseHead(snapshot, frontier.heads())));
    }
}
