package org.aspas.emulab.baselines.obft.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Decoded;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Proof;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Report;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Step;
import org.junit.jupiter.api.Test;

/** Messages come back as they went, and any other bytes are a value, never an exception. */
class ObftCodecTest {
    private static final ObftCodec CODEC = new ObftCodec(4, 100);
    private static final byte[] SIGNATURE = {1, 2, 3};
    private static final Hash HASH = Hash.sha256(SIGNATURE);

    private static List<ObftMessage> messages() {
        SharedOperation operation = ObftCodec.operation(
                3, 1, VersionVector.of(1, 200, 3, 1L << 40), "key é", "aw-set", Operation.of("add", Value.of("x")));
        List<List<Hash>> log = List.of(List.of(HASH), List.of(), List.of(HASH, HASH), List.of());
        List<List<Hash>> other = List.of(List.of(), List.of(), List.of(HASH), List.of());
        Report report = new Report(2, 9, log, SIGNATURE);
        AgreedSet set = new AgreedSet(9, VersionVector.of(1, 2, 3, 4), List.of(HASH, HASH, Hash.ZERO, HASH));
        Proof proof = new Proof(Step.PREPARE, 3, set, Map.of(0, SIGNATURE, 3, SIGNATURE));
        return List.of(
                new ObftMessage.Request(7, 300, "k", "pn-counter", Operation.of("increment", Value.of(-5))),
                new ObftMessage.Request(7, 1, "k", "aw-set", null),
                new ObftMessage.Answer(4, null),
                new ObftMessage.Answer(4, Value.sequence(List.of(Value.of("a"), Value.of(new byte[] {9})))),
                new ObftMessage.Operations(List.of(operation, operation)),
                new ObftMessage.Clocks(5, true, VersionVector.of(0, 1, 128, 3), HASH),
                new ObftMessage.Enter(9, 1, report, null),
                new ObftMessage.Enter(9, 1, report, proof),
                new ObftMessage.Proposal(9, 0, List.of(report, new Report(1, 9, other, SIGNATURE), report), null),
                new ObftMessage.Vote(9, 2, Step.COMMIT, HASH, 3, SIGNATURE),
                new ObftMessage.Decided(proof),
                new ObftMessage.Fetch(9, 2, 1000),
                new ObftMessage.Fetched(9, 1, 1000, List.of(operation)));
    }

    @Test
    void messagesComeBackAsTheyWent() {
        for (ObftMessage message : messages()) {
            byte[] bytes = ObftCodec.encode(message);
            assertThat(CODEC.decode(bytes).accepted().map(ObftCodec::encode))
                    .as(message.toString())
                    .contains(bytes);
        }
    }

    @Test
    void equalLogsAreWrittenOnce() {
        List<List<Hash>> log = List.of(Arrays.asList(new Hash[0]), List.of(), List.of(HASH, HASH, HASH), List.of());
        List<Report> reports = IntStream.range(0, 4)
                .mapToObj(reporter -> new Report(reporter, 0, log, SIGNATURE))
                .toList();
        int one = ObftCodec.encode(new ObftMessage.Proposal(0, 0, reports.subList(0, 1), null)).length;
        int four = ObftCodec.encode(new ObftMessage.Proposal(0, 0, reports, null)).length;
        assertThat(four).isLessThan(one + 3 * 8);
    }

    @Test
    void prefixesAndLongerBytesAreNoMessages() {
        for (ObftMessage message : messages()) {
            byte[] bytes = ObftCodec.encode(message);
            for (int length = 0; length < bytes.length; length++) {
                assertThat(CODEC.decode(Arrays.copyOf(bytes, length))).isInstanceOf(Decoded.Rejected.class);
            }
            assertThat(CODEC.decode(Arrays.copyOf(bytes, bytes.length + 1))).isInstanceOf(Decoded.Rejected.class);
        }
    }

    @Test
    void anyBytesAreAValue() {
        SplittableRandom random = new SplittableRandom(1);
        List<byte[]> known = new ArrayList<>();
        messages().forEach(message -> known.add(ObftCodec.encode(message)));
        int accepted = 0;
        for (int each = 0; each < 50_000; each++) {
            byte[] bytes = known.get(random.nextInt(known.size())).clone();
            for (int change = random.nextInt(1, 4); change > 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            accepted += CODEC.decode(bytes).accepted().isPresent() ? 1 : 0;
        }
        assertThat(accepted).as("changed contents that still are messages").isBetween(1, 49_999);
    }
}
