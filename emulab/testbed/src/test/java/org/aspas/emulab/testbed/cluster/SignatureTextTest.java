package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.SignatureCounts;
import org.junit.jupiter.api.Test;

class SignatureTextTest {
    @Test
    void whatIsWrittenIsRead() throws IOException {
        SortedMap<String, SignatureCounts.Reading> parties = new TreeMap<>(Map.of(
                "appservers",
                new SignatureCounts.Reading(Map.of(Domain.HEAD, 3L), Map.of(Domain.REQUEST, 1L << 40)),
                "bftservers",
                SignatureCounts.Reading.NOTHING));
        String line = SignatureText.line(parties);
        assertThat(line.lines()).hasSize(1);
        assertThat(SignatureText.read(line)).contains(parties);
    }

    @Test
    void otherLinesAreNotItsAffair() throws IOException {
        assertThat(SignatureText.read("ready: 4 appservers")).isEmpty();
        assertThatThrownBy(() -> SignatureText.read("signatures: {\"a\"")).isInstanceOf(IOException.class);
    }
}
