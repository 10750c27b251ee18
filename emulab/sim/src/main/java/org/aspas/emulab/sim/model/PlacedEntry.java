package org.aspas.emulab.sim.model;

import java.util.Arrays;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.clock.Dot;

/**
 * An entry of an origin's log, decoded.
 *
 * @param identity the hash of the signed words: what an update is, whatever its places
 * @param observed its dependencies: of each origin, how many entries its server had delivered before it; not to be changed
 * @param faithful whether the decoded fields, encoded by this package, give the bytes that were decoded
 */
public record PlacedEntry(Dot dot, ClientSigned words, Hash identity, long[] observed, boolean faithful) {
    private static final int REQUEST = 1;
    private static final int OPEN_SESSION = 2;
    private static final int ENTRY = 21;

    /** Takes what a decoder made of the bytes of an entry. */
    public static PlacedEntry of(byte[] encoded, Entry decoded) {
        byte[] payload = decoded.body().payload();
        long[] observed = decoded.dependencies().toArray();
        byte[] again = new Cbor()
                .array(4)
                .integer(ENTRY)
                .dot(decoded.dot())
                .version(observed)
                .array(2)
                .string(payload)
                .string(decoded.body().signature())
                .bytes();
        boolean faithful = Arrays.equals(again, encoded)
                && Arrays.equals(encode(decoded.body().message()), payload);
        return new PlacedEntry(
                decoded.dot(), decoded.body().message(), Hash.of(Sha256.of(payload)), observed, faithful);
    }

    private static byte[] encode(ClientSigned words) {
        byte[] client = words.client().toBytes();
        if (words instanceof OpenSession session) {
            OpenSession.Share share = session.share();
            Cbor record = new Cbor()
                    .array(share == null ? 4 : 6)
                    .integer(OPEN_SESSION)
                    .string(client)
                    .integer(session.number())
                    .integer(session.tolerance());
            return share == null
                    ? record.bytes()
                    : record.string(share.key().toBytes()).integer(share.home()).bytes();
        }
        Request request = (Request) words;
        return new Cbor()
                .array(6)
                .integer(REQUEST)
                .string(client)
                .integer(request.number())
                .text(request.key())
                .text(request.type())
                .operation(request.operation())
                .bytes();
    }

    public ClientId client() {
        return words.client();
    }

    /** Whether its server had delivered the entry at a place before. */
    boolean observed(Dot earlier) {
        return earlier.origin() < observed.length && observed[earlier.origin()] >= earlier.sequence();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PlacedEntry that && dot.equals(that.dot) && identity.equals(that.identity);
    }

    @Override
    public int hashCode() {
        return dot.hashCode();
    }
}
