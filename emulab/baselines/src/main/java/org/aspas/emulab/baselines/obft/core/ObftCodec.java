package org.aspas.emulab.baselines.obft.core;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.aspas.certify.wire.Decoded;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Answer;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Clocks;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Decided;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Enter;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Fetch;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Fetched;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Operations;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proposal;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Request;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Vote;

/**
 * The bytes of messages: a byte for the kind, then the fields in order; numbers seven bits to a byte, low ones first; texts and
 * byte strings after their length. Decoding is total. Immutable.
 */
final class ObftCodec {
    /** The first byte of {@link Operations}, which carry authentication codes of their own. */
    static final byte OPERATIONS = 3;

    private static final byte REQUEST = 1;
    private static final byte ANSWER = 2;
    private static final byte CLOCKS = 4;
    private static final byte ENTER = 5;
    private static final byte PROPOSAL = 6;
    private static final byte VOTE = 7;
    private static final byte DECIDED = 8;
    private static final byte FETCH = 9;
    private static final byte FETCHED = 10;

    private final int replicas;
    private final int mostPerOrigin;

    /**
     * A codec of one group.
     *
     * @param mostPerOrigin the bound of the chains in reports
     */
    ObftCodec(int replicas, int mostPerOrigin) {
        this.replicas = replicas;
        this.mostPerOrigin = mostPerOrigin;
    }

    static byte[] encode(ObftMessage message) {
        ObftWriter to = new ObftWriter();
        if (message instanceof Request request) {
            to.kind(REQUEST).number(request.client()).number(request.number());
            to.text(request.key()).text(request.type()).optional(request.operation(), to::operation);
        } else if (message instanceof Answer answer) {
            to.kind(ANSWER).number(answer.number()).optional(answer.value(), to::value);
        } else if (message instanceof Operations several) {
            to.kind(OPERATIONS)
                    .list(several.operations(), one -> to.bytes(one.body()).bytes(one.macs()));
        } else if (message instanceof Clocks clocks) {
            to.kind(CLOCKS).number(clocks.epoch()).flag(clocks.stopped());
            to.vector(clocks.counts()).hash(clocks.set());
        } else if (message instanceof Enter enter) {
            to.kind(ENTER).number(enter.epoch()).number(enter.round());
            to.reports(List.of(enter.report())).optional(enter.lock(), to::proof);
        } else if (message instanceof Proposal proposal) {
            to.kind(PROPOSAL).number(proposal.epoch()).number(proposal.round());
            to.reports(proposal.reports()).optional(proposal.lock(), to::proof);
        } else if (message instanceof Vote vote) {
            to.kind(VOTE).number(vote.epoch()).number(vote.round()).step(vote.step());
            to.hash(vote.set()).number(vote.voter()).bytes(vote.signature());
        } else if (message instanceof Decided decided) {
            to.kind(DECIDED).proof(decided.proof());
        } else if (message instanceof Fetch fetch) {
            to.kind(FETCH).number(fetch.epoch()).number(fetch.origin()).number(fetch.after());
        } else if (message instanceof Fetched fetched) {
            to.kind(FETCHED).number(fetched.epoch()).number(fetched.origin()).number(fetched.after());
            to.list(fetched.operations(), one -> to.bytes(one.body()));
        }
        return to.toBytes();
    }

    /** The encoding of a set, which its digest is made of. */
    static byte[] bytes(AgreedSet set) {
        return new ObftWriter().set(set).toBytes();
    }

    /** An operation with its encoding, not authenticated yet. */
    static SharedOperation operation(
            long epoch, int origin, VersionVector dependencies, String key, String type, Operation operation) {
        byte[] body = new ObftWriter()
                .number(epoch)
                .number(origin)
                .vector(dependencies)
                .text(key)
                .text(type)
                .operation(operation)
                .toBytes();
        return new SharedOperation(epoch, origin, dependencies, key, type, operation, body, new byte[0]);
    }

    /** Reads a message; total. */
    Decoded<ObftMessage> decode(byte[] bytes) {
        try {
            ObftReader from = new ObftReader(ByteBuffer.wrap(bytes), replicas, mostPerOrigin);
            ObftMessage message = message(from);
            from.end();
            return new Decoded.Accepted<>(message);
        } catch (ObftReader.Malformed malformed) {
            return new Decoded.Rejected<>(malformed.reason());
        }
    }

    /** Reads a message behind which an authentication code stands; total. */
    Decoded<ObftMessage> unsealed(byte[] sealed) {
        int length = sealed.length - ObftKeys.MAC_BYTES;
        return length > 0 ? decode(Arrays.copyOf(sealed, length)) : new Decoded.Rejected<>("no authentication code");
    }

    private ObftMessage message(ObftReader from) throws ObftReader.Malformed {
        byte kind = from.kind();
        return switch (kind) {
            case REQUEST ->
                new Request(from.number(), from.number(), from.text(), from.text(), from.optional(from::operation));
            case ANSWER -> new Answer(from.number(), from.optional(from::value));
            case OPERATIONS -> new Operations(from.list(() -> shared(from.bytes(), from.bytes())));
            case CLOCKS -> new Clocks(from.number(), from.flag(), from.vector(), from.hash());
            case ENTER -> new Enter(from.number(), from.round(), from.report(), from.optional(from::proof));
            case PROPOSAL -> new Proposal(from.number(), from.round(), from.reports(), from.optional(from::proof));
            case VOTE -> new Vote(from.number(), from.round(), from.step(), from.hash(), from.replica(), from.bytes());
            case DECIDED -> new Decided(from.proof());
            case FETCH -> new Fetch(from.number(), from.replica(), from.number());
            case FETCHED ->
                new Fetched(
                        from.number(),
                        from.replica(),
                        from.number(),
                        from.list(() -> shared(from.bytes(), new byte[0])));
            default -> throw new ObftReader.Malformed("an unknown kind of message");
        };
    }

    private SharedOperation shared(byte[] body, byte[] macs) throws ObftReader.Malformed {
        ObftReader from = new ObftReader(ByteBuffer.wrap(body), replicas, mostPerOrigin);
        SharedOperation read = new SharedOperation(
                from.number(), from.replica(), from.vector(), from.text(), from.text(), from.operation(), body, macs);
        from.end();
        return read;
    }

    /** All of a list but what is beyond so many bytes; at least one if there is one. */
    static List<SharedOperation> upTo(long bytes, List<SharedOperation> operations) {
        List<SharedOperation> taken = new ArrayList<>();
        long sum = 0;
        for (SharedOperation one : operations) {
            sum += one.body().length + one.macs().length + Long.BYTES;
            if (sum > bytes && !taken.isEmpty()) {
                break;
            }
            taken.add(one);
        }
        return taken;
    }
}
