package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.evidence.Judgement;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Evidence;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code aspas evidence}: judges a proof of guilt offline. */
@Command(
        name = "evidence",
        description = "Verify proofs of guilt.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas blacklist --dir lab --out proofs",
            "  aspas evidence verify proofs/HASH.evidence --dir lab --json"
        },
        subcommands = {EvidenceCommand.Verify.class},
        synopsisSubcommandLabel = "verify")
final class EvidenceCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        throw new IllegalArgumentException("evidence needs 'verify'; see aspas evidence --help");
    }

    /** Judges evidence by the descriptor alone. */
    @Command(
            name = "verify",
            description = "Verify a file of evidence offline with the descriptor alone.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  aspas evidence verify proofs/HASH.evidence --dir lab",
                "  aspas evidence verify proofs/HASH.evidence --dir lab --json"
            })
    static final class Verify implements Callable<Integer> {
        @Parameters(
                paramLabel = "FILE",
                description = "Evidence file, as written by 'blacklist --out' or served by GET /v1/evidence/HASH.")
        private Path file = Path.of("");

        @Mixin
        private DeploymentOption deployment = new DeploymentOption();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws DeploymentDirectory.UnusableDirectory, IOException, CommandFailed {
            Descriptor descriptor = deployment.directory().descriptor();
            Decoded<Evidence> decoded = Codec.decode(InputFile.bytes(file), Evidence.class);
            if (decoded instanceof Decoded.Rejected<Evidence>) {
                throw new CommandFailed(file + " is not evidence as 'aspas blacklist --out' writes it");
            }
            Evidence evidence = ((Decoded.Accepted<Evidence>) decoded).value();
            Judgement judgement = EvidenceJudge.of(descriptor).judge(evidence);
            if (judgement instanceof Judgement.Unfounded unfounded) {
                throw new CommandFailed(file + " proves nothing: " + unfounded.why());
            }
            if (judgement instanceof Judgement.CannotConfirm unknown) {
                throw new CommandFailed(file + " cannot be confirmed here: " + unknown.why());
            }
            print(evidence, judgement);
            return ExitCodes.DONE;
        }

        private void print(Evidence evidence, Judgement judgement) throws IOException {
            boolean guilty = judgement instanceof Judgement.Guilty;
            if (json.wanted()) {
                ObjectNode out = new ObjectMapper().createObjectNode();
                out.put("judgement", guilty ? "guilty" : "needs replay");
                out.put("accused", evidence.accused().toString());
                out.put("kind", kind(evidence));
                out.put("evidence", Digests.evidence(evidence).toString());
                json.print(out);
                return;
            }
            json.out()
                    .println(
                            guilty
                                    ? evidence.accused() + " is guilty: " + kind(evidence)
                                    : evidence.accused() + " gave an answer that f+1 others computed differently: "
                                            + kind(evidence)
                                            + "; properly signed, but only servers that recompute it can convict");
            json.out().println("  evidence: " + Digests.evidence(evidence));
        }
    }

    static String kind(Evidence evidence) {
        return evidence.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
