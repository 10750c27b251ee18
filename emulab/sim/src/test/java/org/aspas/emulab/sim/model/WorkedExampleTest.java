package org.aspas.emulab.sim.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.model.ReferenceModel.ChainRules;
import org.junit.jupiter.api.Test;

/** The model finds what the worked example of docs/formats.md §12 says: leaves, roots, and a certificate in order. */
class WorkedExampleTest {
    private static final Pattern LINE = Pattern.compile("(?m)^([a-z][a-z0-9 ]*[a-z0-9]) = ([0-9a-f]+)$");

    private final Map<String, String> example = new HashMap<>();
    private final DiskImage disk = new DiskImage(4);

    WorkedExampleTest() throws IOException {
        Matcher lines = LINE.matcher(Files.readString(Path.of("..", "..", "docs", "formats.md")));
        while (lines.find()) {
            example.put(lines.group(1), lines.group(2));
        }
        disk.append(0, bytes("entry 1"));
        disk.append(0, bytes("entry 2"));
    }

    private byte[] bytes(String name) {
        return HexFormat.of().parseHex(example.get(name));
    }

    private CertificateContent content() {
        return Codec.decode(bytes("certificate"), Certificate.class)
                .accepted()
                .orElseThrow()
                .content();
    }

    private List<PlacedEntry> entries() {
        List<PlacedEntry> placed = new ArrayList<>();
        for (long sequence = 1; sequence <= 2; sequence++) {
            byte[] bytes = disk.entry(0, sequence);
            placed.add(PlacedEntry.of(
                    bytes, Codec.decode(bytes, Entry.class).accepted().orElseThrow()));
        }
        return placed;
    }

    @Test
    void theLogIsTheExamples() {
        assertEquals(example.get("leaf 1"), disk.leaf(0, 1).toString());
        assertEquals(example.get("leaf 2"), disk.leaf(0, 2).toString());
        assertEquals(example.get("log root"), disk.root(0, 2).toString());
        assertEquals(
                example.get("log roots digest"),
                disk.rootsDigest(new long[] {2, 0, 0, 0}).toString());
        assertTrue(disk.holds(content()));
        assertTrue(entries().stream().allMatch(PlacedEntry::faithful));
    }

    @Test
    void theCertificateFollowsFromTheEntries() {
        ReferenceModel model = new ReferenceModel();
        assertEquals(List.of(), model.certify(content(), entries()));
        assertEquals(example.get("state root"), model.stateFromScratch().toString());
        assertEquals(example.get("certificate hash"), ChainRules.hash(content()).toString());
        assertEquals(Optional.of(Value.of(5)), model.valueAt("c", "pn-counter", 1));
    }
}
