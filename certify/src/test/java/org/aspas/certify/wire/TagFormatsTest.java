package org.aspas.certify.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.crdt.value.Operation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shares and tags on the wire, byte for byte, and what is no such text. */
class TagFormatsTest {
    private static final ClientId CLIENT = new ClientId(PublicKey.of(bytes("c1".repeat(32))), 1, 2);
    private static final String NAME = "5830" + "c1".repeat(32) + "00000000000000010000000000000002";
    private static final byte[] SIGNATURE = bytes("5a".repeat(64));
    private static final String SIGNED = "5840" + "5a".repeat(64);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static void malformed(String hex) {
        assertThat(Codec.decode(bytes(hex))).isInstanceOf(Decoded.Rejected.class);
    }

    private static Message accepted(String hex) {
        Frame frame = Codec.decode(bytes(hex)).accepted().orElseThrow();
        assertThat(hex(Codec.encode(frame))).isEqualTo(hex);
        return ((Frame.Plain) frame).message();
    }

    // ---- Sessions ----

    @Test
    void aSessionWithoutAShareIsWhatItAlwaysWas() {
        assertThat(accepted("8402" + NAME + "0108")).isEqualTo(new OpenSession(CLIENT, 1, 8));
    }

    @Test
    void aSessionWithAShareHasTwoItemsMore() {
        OpenSession.Share share = new OpenSession.Share(AgreementShare.of(bytes("99".repeat(32))), 3);
        assertThat(accepted("8602" + NAME + "0108" + "5820" + "99".repeat(32) + "03"))
                .isEqualTo(new OpenSession(CLIENT, 1, 8, share));
    }

    @Test
    void noOtherShareIsRead() {
        String open = "02" + NAME + "0108";
        malformed("86" + open + "581f" + "99".repeat(31) + "03");
        malformed("86" + open + "5821" + "99".repeat(33) + "03");
        malformed("86" + open + "f6" + "03");
        malformed("86" + open + "f6f6");
        malformed("86" + open + "5820" + "99".repeat(32) + "1864"); // there is no server 100
        malformed("85" + open + "5820" + "99".repeat(32));
        malformed("85" + open + "f6");
        malformed("87" + open + "5820" + "99".repeat(32) + "03" + "00");
    }

    // ---- Requests ----

    private static Signed<Request> request() {
        Request request = new Request(CLIENT, 1, "c", "aw-set", Operation.of("clear"));
        return new Signed<>(request, Codec.encode(request), SIGNATURE);
    }

    private static String tagged(String payload, String tags) {
        return "830f" + "82" + payload + SIGNED + tags;
    }

    private static String payload() {
        byte[] payload = request().payload();
        return String.format("58%02x", payload.length) + hex(payload);
    }

    /** Whoever reads it finds the signed request, and the tags beside it. */
    @Test
    void aTaggedRequestIsReadAsItsRequest() {
        byte[] tags = bytes("77".repeat(64));
        String hex = tagged(payload(), "5840" + "77".repeat(64));
        Frame frame = Codec.decode(bytes(hex)).accepted().orElseThrow();
        assertThat(frame).isEqualTo(new Frame.Sealed(request(), tags)).isNotEqualTo(new Frame.Sealed(request()));
        assertThat(hex(Codec.encode(frame))).isEqualTo(hex);
        assertThat(hex(Codec.encode(new TaggedRequest(request(), tags)))).isEqualTo(hex);
        assertThat(Codec.decode(bytes(hex), TaggedRequest.class).accepted())
                .contains(new TaggedRequest(request(), tags));
        assertThat(Codec.encode(new Frame.Sealed(request()))).isEqualTo(Codec.encode(request()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 17, 31, 33})
    void tagsHave16BytesEach(int length) {
        String head = length < 24 ? String.format("%02x", 0x40 + length) : String.format("58%02x", length);
        malformed(tagged(payload(), head + "77".repeat(length)));
    }

    @Test
    void nothingButARequestIsTagged() {
        OpenSession open = new OpenSession(CLIENT, 1, 8);
        String session = String.format("58%02x", Codec.encode(open).length) + hex(Codec.encode(open));
        malformed(tagged(session, "50" + "77".repeat(16)));
        malformed(tagged(payload(), "f6"));
        malformed("820f82" + payload() + SIGNED);
        malformed("840f82" + payload() + SIGNED + "50" + "77".repeat(16) + "00");
    }

    /** It is no message that anybody signs. */
    @Test
    void aTaggedRequestIsNoPayload() {
        byte[] inner = Codec.encode(new TaggedRequest(request(), new byte[16]));
        Signed<Message> signed = new Signed<>(new TaggedRequest(request(), new byte[16]), inner, SIGNATURE);
        assertThat(Codec.decode(Codec.encode(signed))).isInstanceOf(Decoded.Rejected.class);
        assertThat(Codec.decodeSigned(Codec.encode(signed), ClientSigned.class)).isInstanceOf(Decoded.Rejected.class);
    }

    // ---- Batches ----

    private static Signed<Head> head() {
        Head head = new Head(1, 2, Hash.ZERO);
        return new Signed<>(head, Codec.encode(head), SIGNATURE);
    }

    private static String batch(int items, String tags) {
        byte[] payload = head().payload();
        return String.format("8%d1682", items) + String.format("58%02x", payload.length) + hex(payload) + SIGNED + "82"
                + "41aa" + "41bb" + tags;
    }

    @Test
    void aBatchHasATagForEachEntryOrNone() {
        Batch plain = new Batch(head(), List.of(bytes("aa"), bytes("bb")));
        assertThat(hex(Codec.encode(plain))).isEqualTo(batch(3, ""));
        byte[] tags = bytes("77".repeat(16) + "00".repeat(16));
        assertThat(hex(Codec.encode(plain.tagged(tags)))).isEqualTo(batch(4, "5820" + hex(tags)));
        assertThat(((Batch) accepted(batch(4, "5820" + hex(tags)))).tags()).isEqualTo(tags);
        assertThat(((Batch) accepted(batch(3, ""))).tags()).isEmpty();
    }

    @Test
    void aBatchWithAnotherNumberOfTagsIsMalformed() {
        malformed(batch(4, "40"));
        malformed(batch(4, "f6"));
        malformed(batch(4, "50" + "77".repeat(16)));
        malformed(batch(4, "581f" + "77".repeat(31)));
        malformed(batch(4, "5830" + "77".repeat(48)));
        malformed(batch(5, "5820" + "77".repeat(32) + "00"));
    }
}
