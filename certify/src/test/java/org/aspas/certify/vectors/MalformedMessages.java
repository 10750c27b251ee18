package org.aspas.certify.vectors;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Signed;

/** Texts that a reader of messages refuses, item by item in hexadecimal. */
final class MalformedMessages {
    /** One text. */
    record Text(String name, String reason, String hex) {}

    private static final VectorWorld WORLD = VectorWorld.WORLD;
    private static final String HASH = "5820" + "11".repeat(32);
    private static final String CLIENT = "5830" + VectorJson.hex(WORLD.clientId.toBytes());
    private static final String SIGNATURE = "5840" + "22".repeat(64);
    private static final String HEAD = VectorJson.hex(WORLD.head(2));
    private static final String CERTIFICATE = VectorJson.hex(WORLD.certificates.get(0));

    private final List<Text> texts = new ArrayList<>();

    private MalformedMessages() {}

    static List<Text> all() {
        MalformedMessages all = new MalformedMessages();
        all.kinds();
        all.fields();
        all.sessions();
        all.lists();
        all.signed();
        all.evidence();
        return all.texts;
    }

    private void add(String name, String reason, String... items) {
        texts.add(new Text(name, reason, String.join("", items)));
    }

    private static String bytes(String hex) {
        int length = hex.length() / 2;
        return (length < 24
                        ? String.format("%02x", 0x40 + length)
                        : length < 256 ? String.format("58%02x", length) : String.format("59%04x", length))
                + hex;
    }

    private void kinds() {
        add("no array", "a message is an array", "07");
        add("an empty array", "a kind is missing", "80");
        add("kind 26", "no message has this kind", "82181a00");
        add("kind 0", "no message has this kind", "8200", HASH);
        add("kind -1", "no message has this kind", "8220", HASH);
        add("a kind not in the shortest form", "not in the shortest form", "831807", HASH, "00");
        add("a kind as a text", "a kind is an integer", "836137", HASH, "00");
        add("a message in a byte string", "a message is an array", bytes("8209" + "00"));
    }

    private void fields() {
        add("a field is missing", "a Hello has two fields", "8207", HASH);
        add("a field too many", "a Hello has two fields", "8407", HASH, "0000");
        add("a byte behind the end", "bytes behind the end", "8307", HASH, "0000");
        add("index 100", "an index is from 0 to 99", "8307", HASH, "1864");
        add("index -1", "an index is from 0 to 99", "8307", HASH, "20");
        add("a hash of 31 bytes", "a hash has 32 bytes", "8307581f", "11".repeat(31), "00");
        add("a text in place of a hash", "a hash is a byte string", "83077820", "61".repeat(32), "00");
        add("a negative number", "a nat is from 0", "820920");
        add("a number not in the shortest form", "not in the shortest form", "82091801");
        add("a number of 2^63", "a nat is up to 2^63-1", "82091b8000000000000000");
        add("1 in place of true", "a bool is true or false", "87060161636a706e2d636f756e746572", "01", "00f6");
        add(
                "a part with neither element nor page",
                "one of the two is present",
                "87060161736661772d736574",
                "f500",
                "83f6f600");
        add(
                "a part with element and page",
                "one of the two is present",
                "87060161736661772d736574",
                "f500",
                "8301",
                HASH,
                "00");
        add(
                "an element of a certain certificate",
                "the number is 0 for an element",
                "87060161736661772d736574",
                "f500",
                "8301f601");
        add("a reason that is none", "reasons are from 0 to 16", "8605", CLIENT, "01f4", "11", "60");
        add("a sequence of 0", "a sequence is from 1", "860c00", CLIENT, "01f6", "81", "8201", "820000");
        add(
                "a sequence with the number 0 of incarnation 1",
                "the number within an incarnation is from 1",
                "860c00",
                CLIENT,
                "01f6",
                "81",
                "8201",
                "82001b0000010000000000");
        add("a version of 101 components", "at most 100", "8417", "9865", "00".repeat(101), "80", "00");
    }

    private void sessions() {
        add("a client of 47 bytes", "a client has 48 bytes", "8402", bytes("33".repeat(47)), "0108");
        add(
                "a client whose clock is 2^63",
                "the clock is below 2^63",
                "8402",
                bytes("33".repeat(32) + "80" + "00".repeat(15)),
                "0108");
        add("session number 0", "a pos is from 1", "8402", CLIENT, "0008");
        add("null for share and home", "without tags there are three fields", "8602", CLIENT, "0108", "f6f6");
        add("a share without a home", "share and home come together", "8502", CLIENT, "0108", HASH);
        add("a share of 31 bytes", "a share has 32 bytes", "8602", CLIENT, "0108", bytes("44".repeat(31)), "00");
        add(
                "request number 0",
                "a pos is from 1",
                "8601",
                CLIENT,
                "00",
                "6163",
                "6a706e2d636f756e746572",
                "8269696e6372656d656e748105");
        add(
                "an argument in nine arrays",
                "an item in more than eight arrays",
                "8601",
                CLIENT,
                "01",
                "6163",
                "6a706e2d636f756e746572",
                "8269696e6372656d656e74",
                "81".repeat(9),
                "05");
        add(
                "null as an argument",
                "an argument is a value",
                "8601",
                CLIENT,
                "01",
                "6163",
                "6a706e2d636f756e746572",
                "8269696e6372656d656e7481f6");
    }

    private void lists() {
        String path = "9841" + HASH.repeat(65);
        add("a path of 65 hashes", "at most 64", "8408", CLIENT, CERTIFICATE, "81", "8301", "820001", "830001", path);
        add("a page of 257 bits", "bits are up to 256", "85181d01", "82f6" + HASH, "83190101", "80f6", "80");
        add("empty tags", "tags are never empty", "8416", HEAD, "80", "40");
        add("tags of 15 bytes", "16 bytes for each tag", "8416", HEAD, "80", bytes("55".repeat(15)));
        add(
                "fewer tags than entries",
                "as many tags as entries",
                "8416",
                HEAD,
                "82",
                "4101",
                "4102",
                bytes("55".repeat(16)));
        add("more tags than entries", "as many tags as entries", "8416", HEAD, "81", "4101", bytes("55".repeat(32)));
        add("no tags in a tagged request", "tags are never empty", "830f", VectorJson.hex(WORLD.request(2)), "40");
        add("heads out of order", "by ascending origin", "8417", "8400000000", "82", HEAD, HEAD, "00");
        Certificate right = WORLD.certificates.get(0);
        String first = "8200" + SIGNATURE;
        String second = "8201" + SIGNATURE;
        String payload = bytes(VectorJson.hex(right.payload()));
        add("signatures out of order", "by ascending replica", "831825", payload, "82", second, first);
        add("a signature twice", "each replica once", "831825", payload, "82", first, first);
        add("a certificate of something else", "the payload is a CertificateContent", "831825", bytes("820900"), "80");
    }

    private void signed() {
        Signed<?> head = WORLD.head(2);
        String payload = VectorJson.hex(head.payload());
        add("a signature of 63 bytes", "a signature has 64 bytes", "82", bytes(payload), bytes("22".repeat(63)));
        add("a signed message with a third item", "payload and signature", "83", bytes(payload), SIGNATURE, "00");
        add(
                "a payload with a byte behind its end",
                "the payload is one message",
                "82",
                bytes(payload + "00"),
                SIGNATURE);
        add("a payload that nobody signs", "a Hello is never signed", "82", bytes("8307" + HASH + "00"), SIGNATURE);
        add(
                "a payload that is a signed message",
                "the payload is a message",
                "82",
                bytes("82" + bytes(payload) + SIGNATURE),
                SIGNATURE);
        add("an answer with a signed head", "it is a signed Response", "8404", HEAD, "f6f6");
        add(
                "an entry with a signed head",
                "it is a signed Request or OpenSession",
                "8415",
                "820001",
                "8400000000",
                HEAD);
    }

    private void evidence() {
        String hello = "8307" + HASH + "00";
        add(
                "a complaint with a message that is no evidence",
                "evidence is of kind 50 to 59",
                "84183c",
                CLIENT,
                "01",
                hello);
        add(
                "a complaint in a complaint",
                "evidence is of kind 50 to 59",
                "84183c",
                CLIENT,
                "01",
                "84183c" + CLIENT + "01" + hello);
        String response = VectorJson.hex(Offences.answer(2, 0));
        add("a question that asks nothing", "exactly one of the two", "841839", response, "82f6f6", "80");
        String read = "87060161636a706e2d636f756e746572f400f6";
        add(
                "a question that asks twice",
                "exactly one of the two",
                "841839",
                response,
                "82",
                VectorJson.hex(WORLD.request(2)),
                read,
                "80");
        String reply = VectorJson.hex(Offences.differs(1, Offences.answer(2, 0)));
        add("two replies of one server", "each server once", "841839", response, "82f6", read, "82", reply, reply);
        add("an outcome that is none", "outcomes are from 0 to 7", "870e00", CLIENT, "01", HASH, HASH, "08");
        add("a finding that is none", "findings are from 0 to 2", "85183d00", HASH, "00", "03");
        add("a text as the accused", "the accused is an index or a client", "85183d00", HASH, "6161", "00");
    }
}
