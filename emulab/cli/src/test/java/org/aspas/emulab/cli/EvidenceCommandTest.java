package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Sealer;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A proof of guilt is judged with the descriptor alone. */
class EvidenceCommandTest {
    @TempDir
    private Path place = Path.of("");

    private int run(String... arguments) {
        return CommandRun.of(arguments).exit();
    }

    @Test
    void aForkProofIsJudgedOffline() throws Exception {
        Path lab = place.resolve("lab");
        assertThat(run("init", lab.toString())).isEqualTo(ExitCodes.DONE);
        DeploymentDirectory directory = new DeploymentDirectory(lab);
        Descriptor descriptor = directory.descriptor();
        Sealer forker = new Sealer(directory.key(descriptor, NodeId.appserver(2)), descriptor.id());
        ForkedHeads fork =
                new ForkedHeads(forker.seal(new Head(2, 9, Hash.ZERO)), forker.seal(new Head(2, 9, Hash.sha256())));
        Path proof = Files.write(place.resolve("fork"), Codec.encode(fork));
        assertThat(run("evidence", "verify", proof.toString(), "--dir", lab.toString()))
                .isEqualTo(ExitCodes.DONE);
        assertThat(run("evidence", "verify", proof.toString(), "--json", "--dir", lab.toString()))
                .isEqualTo(ExitCodes.DONE);
        ForkedHeads same = new ForkedHeads(fork.one(), fork.one());
        Path nothing = Files.write(place.resolve("nothing"), Codec.encode(same));
        assertThat(run("evidence", "verify", nothing.toString(), "--dir", lab.toString()))
                .isEqualTo(ExitCodes.FAILED);
        Path garbage = Files.write(place.resolve("garbage"), new byte[] {1, 2, 3});
        assertThat(run("evidence", "verify", garbage.toString(), "--dir", lab.toString()))
                .isEqualTo(ExitCodes.FAILED);
        assertThat(run("evidence", "verify", place.resolve("none").toString(), "--dir", lab.toString()))
                .isEqualTo(ExitCodes.USAGE);
    }
}
