package org.aspas.emulab.baselines.bft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Request;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.shell.NoSignatures;
import org.junit.jupiter.api.Test;

class OrderedStoreTest {
    private static final String COUNTER = DataTypes.PN_COUNTER.name();
    private static final String SET = DataTypes.AW_SET.name();

    private final OrderedStore store = new OrderedStore();

    private static byte[] request(int client, long number, String key, String type, Operation operation) {
        byte[] name = new byte[PublicKey.LENGTH];
        name[0] = (byte) client;
        Request request = new Request(new ClientId(PublicKey.of(name)), number, key, type, operation);
        return OrderedStore.command(0, Codec.encode(NoSignatures.seal(request)));
    }

    private static byte[] read(String key, String type) {
        return OrderedStore.command(0, Codec.encode(new Read(1, key, type, false, CertificateNumber.NONE)));
    }

    private Value ordered(byte[] command) {
        return Codec.decode(store.apply(command), Answer.class)
                .accepted()
                .orElseThrow()
                .response()
                .message()
                .result();
    }

    private static byte[] increment(int client, long number) {
        return request(client, number, "c", COUNTER, Operation.of("increment", Value.of(2)));
    }

    @Test
    void aRequestHasOneEffectHoweverOftenItIsOrdered() {
        assertThat(ordered(increment(1, 1))).isEqualTo(Value.of(2));
        assertThat(ordered(increment(2, 1))).isEqualTo(Value.of(4));
        assertThat(ordered(increment(1, 1))).isEqualTo(Value.of(4));
        assertThat(ordered(increment(1, 3))).isEqualTo(Value.of(6));
        assertThat(ordered(increment(1, 2))).isEqualTo(Value.of(8));
        assertThat(ordered(read("c", COUNTER))).isEqualTo(Value.of(8));
    }

    @Test
    void setsAreReadInOneOrder() {
        ordered(request(1, 1, "s", SET, Operation.of("add", Value.of("b"))));
        ordered(request(1, 2, "s", SET, Operation.of("add", Value.of("a"))));
        ordered(request(1, 3, "s", SET, Operation.of("add", Value.of("c"))));
        ordered(request(1, 4, "s", SET, Operation.of("remove", Value.of("b"))));
        assertThat(ordered(read("s", SET))).isEqualTo(Value.sequence(List.of(Value.of("a"), Value.of("c"))));
    }

    @Test
    void aRestoredStateIsTheSame() {
        store.apply(increment(1, 1));
        store.apply(request(2, 1, "s", SET, Operation.of("add", Value.of("x"))));
        OrderedStore other = new OrderedStore();
        other.restore(store.snapshot());
        assertThat(other.snapshot()).isEqualTo(store.snapshot());
        assertThat(other.apply(increment(1, 1))).isEqualTo(store.apply(increment(1, 1)));
        assertThat(other.apply(increment(1, 2))).isEqualTo(store.apply(increment(1, 2)));
    }

    @Test
    void whatIsNoCommandHasNoAnswerAndNoEffect() {
        byte[] before = store.snapshot();
        assertThat(store.apply(new byte[0])).isEmpty();
        assertThat(store.apply(new byte[] {0})).isEmpty();
        assertThat(store.apply(new byte[] {0, 1, 2, 3})).isEmpty();
        store.apply(request(1, 1, "c", COUNTER, Operation.of("increment", Value.of("no number"))));
        assertThat(store.snapshot()).isEqualTo(before);
    }
}
