package org.aspas.certify.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.aspas.certify.identity.DescriptorFile.InvalidDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator's file: what was signed comes back, and everything else is refused in one way. */
class DescriptorTest {
    private static final SigningKey OPERATOR = key(99);
    private static final int FUZZ = 4_000;

    private static SigningKey key(int seed) {
        byte[] bytes = new byte[Ed25519.SEED_LENGTH];
        Arrays.fill(bytes, (byte) seed);
        return SigningKey.of(bytes);
    }

    private static List<NodeDescription> nodes() {
        List<NodeDescription> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            nodes.add(node(NodeId.bftserver(i), 10 + i));
            nodes.add(node(NodeId.appserver(i), 20 + i));
        }
        return nodes;
    }

    private static NodeDescription node(NodeId id, int seed) {
        byte[] orderingKey = id.role() == Role.BFTSERVER ? new byte[] {1, (byte) id.index()} : new byte[0];
        return new NodeDescription(id, key(seed).publicKey(), "host", 7000 + seed, 8000 + seed, orderingKey);
    }

    private static DescriptorFile file(List<NodeDescription> nodes, Set<PublicKey> admitted) {
        return DescriptorFile.sign(OPERATOR, "test", new Quorums(1, 1), nodes, admitted, Limits.DEFAULT);
    }

    private static DescriptorFile signed(String text) {
        return signed(text.getBytes(StandardCharsets.UTF_8));
    }

    private static DescriptorFile signed(byte[] text) {
        return new DescriptorFile(text, OPERATOR.sign(Domain.DEPLOYMENT, Hash.ZERO, text));
    }

    private static String validText() {
        return new String(file(nodes(), Set.of()).text(), StandardCharsets.UTF_8);
    }

    private static String refusal(DescriptorFile file) {
        return String.valueOf(assertThrows(InvalidDescriptor.class, () -> file.open(OPERATOR.publicKey()))
                .getMessage());
    }

    /** A text without the field is as it was before there was one. */
    @Test
    void clientsMayComeByTls() throws InvalidDescriptor {
        assertFalse(validText().contains("clientTls"));
        List<NodeDescription> nodes = new ArrayList<>(nodes());
        NodeDescription plain = nodes.get(1);
        NodeDescription encrypted = new NodeDescription(
                plain.id(), plain.key(), "::1", plain.linkPort(), 8100, 9100, true, plain.orderingKey());
        nodes.set(1, encrypted);
        Descriptor opened = file(nodes, Set.of()).open(OPERATOR.publicKey());
        assertEquals(encrypted, opened.node(plain.id()));
        assertNotEquals(plain, encrypted);
        assertEquals("https://[::1]:8100", encrypted.http().toString());
        assertEquals("wss://[::1]:8100/v1/session", encrypted.webSocket().toString());
        assertEquals("http://host:8020", plain.http().toString());
        assertEquals("ws://host:8020/v1/session", plain.webSocket().toString());
        for (String wrong : List.of("1", "\"true\"", "null")) {
            String text = validText().replace("\"orderingKey\" : \"\"", "\"clientTls\" : " + wrong + ", $0");
            assertTrue(refusal(signed(text.replace("$0", "\"orderingKey\" : \"\"")))
                    .contains("clientTls is not true or false"));
        }
    }

    private static NodeDescription agreeing(NodeDescription plain, AgreementShare agreement) {
        return new NodeDescription(
                plain.id(),
                plain.key(),
                plain.host(),
                plain.linkPort(),
                plain.servicePort(),
                0,
                false,
                agreement,
                plain.orderingKey());
    }

    /** All appservers have an agreement key or none; a text without them is as it was before there were any. */
    @Test
    void appserversMayHaveAgreementKeys() throws InvalidDescriptor {
        assertFalse(validText().contains("agreementKey"));
        assertEquals(
                List.of(), file(nodes(), Set.of()).open(OPERATOR.publicKey()).agreements());
        List<AgreementShare> shares = new ArrayList<>();
        List<NodeDescription> nodes = nodes();
        for (int i = 0; i < 4; i++) {
            shares.add(AgreementKey.ofServer(key(20 + i)).share());
            nodes.set(2 * i + 1, agreeing(nodes.get(2 * i + 1), shares.get(i)));
        }
        DescriptorFile file = file(nodes, Set.of());
        Descriptor opened = file.open(OPERATOR.publicKey());
        assertEquals(shares, opened.agreements());
        assertEquals(nodes.get(3), opened.node(NodeId.appserver(1)));
        assertNotEquals(nodes().get(3), opened.node(NodeId.appserver(1)));
        String text = new String(file.text(), StandardCharsets.UTF_8);
        assertTrue(text.contains("\"agreementKey\" : \"" + shares.get(2) + "\""));
        String one = shares.get(0).toString();
        for (String wrong : List.of(one.substring(2), one + "00", "x" + one.substring(1), "")) {
            assertTrue(refusal(signed(text.replace(one, wrong))).contains("agreementKey"), wrong);
        }
        assertTrue(refusal(signed(text.replace("\"" + one + "\"", "null"))).contains("agreementKey"));
    }

    @Test
    void agreementKeysAreOfAllAppserversAndOfNobodyElse() {
        List<NodeDescription> some = nodes();
        some.set(1, agreeing(some.get(1), AgreementKey.ofServer(key(20)).share()));
        assertTrue(refusal(file(some, Set.of())).contains("agreementKey"));
        List<NodeDescription> twice = nodes();
        List<NodeDescription> others = nodes();
        for (int i = 0; i < 4; i++) {
            AgreementShare share = AgreementKey.ofServer(key(20 + i / 2)).share();
            twice.set(2 * i + 1, agreeing(twice.get(2 * i + 1), share));
            AgreementShare own = AgreementKey.ofServer(key(20 + i)).share();
            others.set(2 * i + 1, agreeing(others.get(2 * i + 1), own));
        }
        assertTrue(refusal(file(twice, Set.of())).contains("agreementKey"));
        others.set(0, agreeing(others.get(0), AgreementKey.ofServer(key(10)).share()));
        assertTrue(refusal(file(others, Set.of())).contains("agreementKey"));
    }

    @Test
    void whatWasSignedComesBack() throws InvalidDescriptor {
        ClientId client = new ClientId(key(5).publicKey());
        DescriptorFile file = file(nodes(), Set.of(client.key()));
        Descriptor descriptor = file.open(OPERATOR.publicKey());
        assertEquals(Hash.sha256(file.text()), descriptor.id());
        assertEquals("test", descriptor.name());
        assertEquals(new Quorums(1, 1), descriptor.quorums());
        assertEquals(Limits.DEFAULT, descriptor.limits());
        assertEquals(Set.copyOf(nodes()), Set.copyOf(descriptor.nodes()));
        assertEquals(node(NodeId.appserver(2), 22), descriptor.node(NodeId.appserver(2)));
        assertEquals(key(13).publicKey(), descriptor.keys(Role.BFTSERVER).get(3));
        assertTrue(descriptor.admits(client));
        assertFalse(descriptor.admits(new ClientId(key(6).publicKey())));
        assertEquals(descriptor.id(), descriptor.verifier().deployment());
    }

    @Test
    void withoutAListAnyoneIsAdmitted() throws InvalidDescriptor {
        assertTrue(file(nodes(), Set.of()).open(OPERATOR.publicKey()).admits(new ClientId(key(6).publicKey())));
    }

    @Test
    void theIdIsThatOfTheExactBytes() throws InvalidDescriptor {
        Descriptor one = signed(validText()).open(OPERATOR.publicKey());
        Descriptor other = signed(validText() + "\n").open(OPERATOR.publicKey());
        assertNotEquals(one.id(), other.id());
    }

    @Test
    void anyChangedByteIsNoticed() {
        DescriptorFile file = file(nodes(), Set.of());
        for (int at = 0; at < file.text().length; at += 37) {
            byte[] text = file.text().clone();
            text[at] ^= 1;
            assertTrue(refusal(new DescriptorFile(text, file.signature())).contains("not signed"));
        }
        assertTrue(refusal(new DescriptorFile(file.text(), new byte[3])).contains("not signed"));
        assertThrows(InvalidDescriptor.class, () -> file.open(key(98).publicKey()));
    }

    @Test
    void wrongCountsAndDuplicates() {
        List<NodeDescription> few = nodes();
        few.remove(7);
        assertTrue(refusal(file(few, Set.of())).contains("nodes"));
        List<NodeDescription> many = nodes();
        many.add(node(NodeId.appserver(4), 40));
        assertTrue(refusal(file(many, Set.of())).contains("nodes"));
        List<NodeDescription> twice = nodes();
        twice.set(1, node(NodeId.appserver(1), 41));
        assertTrue(refusal(file(twice, Set.of())).contains("nodes"));
        List<NodeDescription> oneKey = nodes();
        oneKey.set(1, node(NodeId.appserver(0), 10));
        assertTrue(refusal(file(oneKey, Set.of())).contains("one key"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "1", "\"x\"", "[]", "{}", "{", "{\"format\":1}", "nul", "\ufeff", "\0"})
    void textsThatAreNoDescriptor(String text) {
        refusal(signed(text));
    }

    @Test
    void nestedWithoutEnd() {
        refusal(signed("[".repeat(1 << 20)));
        refusal(signed("{\"format\":".repeat(100_000)));
        refusal(signed("{\"format\":" + "9".repeat(1 << 20) + "}"));
        refusal(signed("{\"name\":\"" + "x".repeat(1 << 20)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"format\" : 1'      | '\"format\" : 2'                    | format",
                "'\"format\" : 1'      | '\"format\" : 1, \"format\" : 1'    | JSON",
                "'\"format\" : 1'      | '\"format\" : 1, \"extra\" : 1'     | extra",
                "'\"signatures\" : \"ed25519-cofactorless\",' | '' | descriptor.signatures is missing",
                "'ed25519-cofactorless' | 'ed25519' | signatures = ed25519 is a rule that this build does not know",
                "'\"name\" : \"test\"' | '\"name\" : 7'                      | name",
                "'\"name\" : \"test\",'| ''                                  | name",
                "'\"f\" : 1'           | '\"f\" : 0'                         | f = 0",
                "'\"f\" : 1'           | '\"f\" : 34'                        | f = 34",
                "'\"f\" : 1'           | '\"f\" : 2'                         | nodes",
                "'\"b\" : 1'           | '\"b\" : 1.0'                       | b is not a whole number",
                "'\"b\" : 1'           | '\"b\" : 4294967297'                | b is not a whole number",
                "'\"b\" : 1'           | '\"b\" : \"1\"'                     | b is not a whole number",
                "'\"bftserver\"'       | '\"boss\"'                          | boss",
                "'\"bftserver\"'       | '\"BFTSERVER\"'                     | BFTSERVER",
                "'\"index\" : 0'       | '\"index\" : -1'                    | index = -1",
                "'\"index\" : 0'       | '\"index\" : 9'                     | nodes",
                "'\"host\" : \"host\"' | '\"host\" : \" \"'                  | host",
                "'\"host\" : \"host\"' | '\"host\" : null'                   | host",
                "'\"linkPort\" : 7010' | '\"linkPort\" : 65536'              | linkPort = 65536",
                "'\"linkPort\" : 7010' | '\"linkPort\" : -1'                 | linkPort = -1",
                "'\"key\" : \"'        | '\"key\" : \"00'                    | key",
                "'\"key\" : \"'        | '\"key\" : \"zz'                    | key",
                "'\"orderingKey\" : \"'| '\"orderingKey\" : \"0'             | orderingKey",
                "'\"admitted\" : [ ]'  | '\"admitted\" : [ 1 ]'              | admitted",
                "'\"admitted\" : [ ]'  | '\"admitted\" : [ \"aa\" ]'         | admitted",
                "'\"admitted\" : [ ]'  | '\"admitted\" : { }'                | admitted",
                "'\"tickMillis\" : 100' | '\"tickMillis\" : 4'                | limits.tickMillis = 4",
                "'\"tickMillis\" : 100' | '\"tickmillis\" : 50'               | tickmillis",
                "'\"tickMillis\" : 100' | '\"tickMillis\" : null'             | limits.tickMillis"
            })
    void oneWrongField(String right, String wrong, String named) {
        assertTrue(validText().contains(right), right);
        String refusal = refusal(signed(validText()
                .replaceFirst(java.util.regex.Pattern.quote(right), java.util.regex.Matcher.quoteReplacement(wrong))));
        assertTrue(refusal.contains(named), refusal);
    }

    @Test
    void theOperatorNamedIsTheOneWhoSigned() {
        String other = validText()
                .replace(OPERATOR.publicKey().toString(), key(98).publicKey().toString());
        assertTrue(refusal(signed(other)).contains("operator"));
        assertTrue(refusal(signed(validText() + "{}")).contains("JSON"));
    }

    @Test
    void damagedTextsOpenOrAreRefused() {
        byte[] valid = file(nodes(), Set.of()).text();
        String alphabet = "{}[]\",:0123456789-.eE \\ntru\u0000\u00ff";
        for (long seed = 0; seed < FUZZ; seed++) {
            Random random = new Random(seed);
            byte[] text = random.nextInt(4) == 0 ? Arrays.copyOf(valid, random.nextInt(valid.length)) : valid.clone();
            for (int left = 1 + random.nextInt(3); left > 0 && text.length > 0; left--) {
                text[random.nextInt(text.length)] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
            }
            try {
                assertEquals(
                        Hash.sha256(text),
                        signed(text).open(OPERATOR.publicKey()).id());
            } catch (InvalidDescriptor refused) {
                assertFalse(String.valueOf(refused.getMessage()).isEmpty(), "seed " + seed);
            } catch (RuntimeException | StackOverflowError thrown) {
                fail("seed " + seed, thrown);
            }
        }
    }

    @Test
    void limitsKeepTheirRanges() {
        int kib = 1024;
        int mib = kib * kib;
        new Limits(kib, 64 * kib, 1, 16, 1, kib, 5, 0, 1, 2);
        new Limits(16 * mib, 64 * mib, 4096, 8 * mib, 65536, 32 * mib, 10_000, 10_000, 10_000, 1_000_000);
        List<int[]> wrong = List.of(
                new int[] {kib - 1, 64 * kib, 1, 16, 1, kib, 5, 1, 1, 2},
                new int[] {16 * mib + 1, 64 * mib, 1, 16, 1, 17 * mib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib - 1, 1, 16, 1, kib, 5, 1, 1, 2},
                new int[] {64 * kib, 127 * kib, 1, 16, 1, 64 * kib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 0, 16, 1, kib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 4097, 16, 1, kib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 1, 15, 1, kib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 1, 513, 1, kib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 1, 16, 0, kib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 1, 16, 65537, kib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 1, 16, 1, kib - 1, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 1, 16, 1, 33 * kib, 5, 1, 1, 2},
                new int[] {kib, 64 * kib, 1, 16, 1, kib, 4, 1, 1, 2},
                new int[] {kib, 64 * kib, 1, 16, 1, kib, 5, -1, 1, 2},
                new int[] {kib, 64 * kib, 1, 16, 1, kib, 5, 1, 10_001, 2},
                new int[] {kib, 64 * kib, 1, 16, 1, kib, 5, 1, 1, 1});
        for (int[] n : wrong) {
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> new Limits(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]),
                    () -> Arrays.toString(n));
            assertTrue(String.valueOf(refused.getMessage()).matches("limits\\.[a-zA-Z]+ = -?\\d+ is outside .*"));
        }
    }
}
