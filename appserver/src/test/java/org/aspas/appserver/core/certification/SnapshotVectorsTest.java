package org.aspas.appserver.core.certification;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.junit.jupiter.api.Test;

/** The snapshots of docs/vectors, verified from the files alone as a backup is. */
class SnapshotVectorsTest {
    private static final Path VECTORS = Path.of("..", "docs", "vectors");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();

    private static JsonNode cases(String file) throws IOException {
        return JSON.readTree(VECTORS.resolve(file).toFile()).path("cases");
    }

    private static Descriptor descriptor() throws IOException, DescriptorFile.InvalidDescriptor {
        JsonNode one = cases("descriptor.json").path(0);
        byte[] text = one.path("text").textValue().getBytes(StandardCharsets.UTF_8);
        byte[] signature = HEX.parseHex(one.path("signatureFile").textValue().strip());
        return new DescriptorFile(text, signature)
                .open(PublicKey.of(HEX.parseHex(one.path("operatorKey").textValue())));
    }

    private static <M extends Message> M read(JsonNode hex, Class<M> type) {
        return Codec.decode(HEX.parseHex(hex.textValue()), type).accepted().orElseThrow();
    }

    private static boolean isWhole(Descriptor descriptor, JsonNode one) {
        try {
            SnapshotCheck check = SnapshotCheck.of(descriptor, read(one.path("head"), SnapshotHead.class));
            for (JsonNode chunk : one.path("chunks")) {
                check.take(read(chunk, SnapshotChunk.class));
            }
            check.state();
            return true;
        } catch (SnapshotCheck.WrongSnapshot wrong) {
            return false;
        }
    }

    @Test
    void eachIsWhatTheFileSays() throws IOException, DescriptorFile.InvalidDescriptor {
        Descriptor descriptor = descriptor();
        int valid = 0;
        for (JsonNode one : cases("snapshots.json")) {
            boolean expected = one.path("valid").booleanValue();
            assertThat(isWhole(descriptor, one))
                    .as(one.path("name").textValue())
                    .isEqualTo(expected);
            valid += expected ? 1 : 0;
        }
        assertThat(valid).isEqualTo(3);
    }
}
