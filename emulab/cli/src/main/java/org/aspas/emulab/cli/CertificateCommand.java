package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.CertificateCheck;
import org.aspas.client.core.ReadProof;
import org.aspas.client.core.ReadProofCheck;
import org.aspas.crdt.value.Printable;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code aspas certificate}: fetches a certificate, or verifies one, or a certified value, offline. */
@Command(
        name = "certificate",
        description = "Show or verify certificates.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas certificate show --dir lab --out newest.cbor",
            "  aspas certificate verify newest.cbor --dir lab --json",
            "  aspas counter get likes/42 --dir lab --level certified --proof likes.cbor",
            "  aspas certificate verify likes.cbor --dir lab"
        },
        subcommands = {CertificateCommand.Show.class, CertificateCommand.Verify.class},
        synopsisSubcommandLabel = "show|verify")
final class CertificateCommand implements Callable<Integer> {
    private static final int ID_DIGITS = 8;

    @Override
    public Integer call() {
        throw new IllegalArgumentException("certificate needs 'show' or 'verify'; see aspas certificate --help");
    }

    /** Fetches and verifies one certificate. */
    @Command(
            name = "show",
            description = "Fetch a certificate from an appserver, verify and show it.",
            footerHeading = "%nExamples:%n",
            footer = {
                "  aspas certificate show --dir lab",
                "  aspas certificate show 17 --dir lab --server 2 --out 17.cbor --json"
            })
    static final class Show implements Callable<Integer> {
        @Parameters(
                arity = "0..1",
                defaultValue = "0",
                paramLabel = "NUMBER",
                description = "Number of the certificate (default: the newest).")
        private long number;

        @Option(
                names = "--out",
                paramLabel = "FILE",
                description = "Write the exact bytes of the certificate to this file.")
        private @Nullable Path out;

        @Mixin
        private ClientOption session = new ClientOption();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws Exception {
            if (number < 0) {
                throw new IllegalArgumentException("NUMBER " + number + " is less than 0");
            }
            try (OpenClient open = session.connect()) {
                Optional<Certificate> found = open.await(open.client().certificate(new CertificateNumber(number)));
                if (found.isEmpty()) {
                    throw new CommandFailed("the appserver holds no certificate" + (number == 0 ? "" : " " + number));
                }
                Path file = out;
                if (file != null) {
                    OutputFile.write(file, Codec.encode(found.get()));
                }
                print(found.get(), session.descriptor(), json);
                return ExitCodes.DONE;
            }
        }
    }

    /** Verifies a certificate's bytes with the descriptor alone. */
    @Command(
            name = "verify",
            description = "Verify a certificate, or the proof of a certified value, offline with the descriptor alone.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:the certificate or the proof is valid",
                "1:it is not valid, or the file is neither of them",
                "2:the command line or a file that it names is wrong"
            },
            footerHeading = "%nExamples:%n",
            footer = {
                "  aspas certificate verify 17.cbor --dir lab",
                "  ASPAS_DIR=lab aspas certificate verify 17.cbor --json | jq .hash"
            })
    static final class Verify implements Callable<Integer> {
        @Parameters(
                paramLabel = "FILE",
                description = "File written by 'certificate show --out' or by a certified read with --proof.")
        private Path file = Path.of("");

        @Mixin
        private DeploymentOption deployment = new DeploymentOption();

        @Option(names = "--verbose", description = "Also print hashes, roots and the version.")
        private boolean verbose;

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws DeploymentDirectory.UnusableDirectory, IOException, CommandFailed {
            Descriptor descriptor = deployment.directory().descriptor();
            byte[] bytes = InputFile.bytes(file);
            CertificateVerifier verifier = new CertificateVerifier(
                    descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
            Optional<ReadProof> proof = ReadProof.of(bytes);
            if (proof.isPresent()) {
                return value(proof.get(), verifier, descriptor);
            }
            Decoded<Certificate> decoded = Codec.decode(bytes, Certificate.class);
            if (decoded instanceof Decoded.Rejected<Certificate> rejected) {
                throw new CommandFailed(file + " is neither a certificate nor a proof of a value"
                        + (json.verbose() ? ": " + rejected.reason() : ""));
            }
            Certificate certificate = ((Decoded.Accepted<Certificate>) decoded).value();
            Optional<String> wrong = verifier.verify(certificate);
            if (wrong.isPresent()) {
                throw new CommandFailed(file + " is not valid: " + wrong.get());
            }
            print(certificate, descriptor, json);
            return ExitCodes.DONE;
        }

        private int value(ReadProof proof, CertificateVerifier verifier, Descriptor descriptor)
                throws IOException, CommandFailed {
            Optional<String> wrong = ReadProofCheck.check(
                    proof,
                    certificate -> verifier.verify(certificate)
                            .<CertificateCheck.Verdict>map(CertificateCheck.Verdict.Wrong::new)
                            .orElseGet(() -> new CertificateCheck.Verdict.Genuine(certificate)));
            Certificate proving = proof.answer().certificate();
            if (wrong.isPresent() || proving == null) {
                throw new CommandFailed(file + " is not valid: " + wrong.orElse("it has no certificate"));
            }
            ObjectNode out = new ObjectMapper().createObjectNode().put("valid", true);
            Proved.describe(out, proof);
            out.set("certificate", fields(proving));
            if (json.wanted() || json.verbose()) {
                print(out, claim(out) + ": proved by certificate " + proving.number(), json);
                return ExitCodes.DONE;
            }
            json.out().println(claim(out) + ": proved by certificate " + proving.number());
            json.out().println(signers(proving, descriptor));
            out.path("elements").forEach(element -> json.out().println("  " + ElementArgument.words(element)));
            return ExitCodes.DONE;
        }

        /** What is proved, such as {@code likes/42 is 3}. */
        private static String claim(ObjectNode out) {
            String key = Printable.word(out.path("key").asText());
            if (out.has("element")) {
                return key
                        + (out.path("has").asBoolean() ? " has " : " does not have ")
                        + ElementArgument.words(out.path("element"));
            }
            int elements = out.path("elements").size();
            return out.has("value")
                    ? key + " is " + out.path("value").asText()
                    : key + " has " + Words.count(elements, "element") + (out.has("page_from") ? " on this page" : "");
        }
    }

    private static ObjectNode fields(Certificate certificate) {
        ObjectNode out = new ObjectMapper().createObjectNode();
        out.put("valid", true);
        out.put("number", certificate.number().value());
        out.put("hash", certificate.hash().toString());
        out.put("previous", certificate.content().previous().toString());
        out.put("deployment", certificate.content().deployment().toString());
        ArrayNode version = out.putArray("version");
        for (long component : certificate.content().version().toArray()) {
            version.add(component);
        }
        ArrayNode roots = out.putArray("roots");
        certificate.content().roots().forEach(root -> roots.add(root.toString()));
        out.put("state", certificate.content().state().toString());
        ArrayNode signers = out.putArray("signers");
        certificate.signatures().forEach(signature -> signers.add(signature.replica()));
        return out;
    }

    private static void print(Certificate certificate, Descriptor descriptor, JsonOption json) throws IOException {
        String title = "certificate " + certificate.number() + " is valid";
        if (json.wanted() || json.verbose()) {
            print(fields(certificate), title, json);
            return;
        }
        json.out().println(title);
        json.out().println(signers(certificate, descriptor));
        json.out()
                .println("it covers "
                        + Words.count(
                                Arrays.stream(certificate.content().version().toArray())
                                        .sum(),
                                "entry",
                                "entries")
                        + " (--verbose shows which, and all hashes)");
    }

    private static String signers(Certificate certificate, Descriptor descriptor) {
        List<String> replicas = certificate.signatures().stream()
                .map(signature -> Integer.toString(signature.replica()))
                .toList();
        return "signed by bftservers " + String.join(" ", replicas) + " of "
                + descriptor.quorums().bftservers() + ", in deployment " + descriptor.name() + " "
                + descriptor.id().toString().substring(0, ID_DIGITS);
    }

    private static void print(ObjectNode out, String title, JsonOption json) throws IOException {
        if (json.wanted()) {
            json.print(out);
            return;
        }
        json.out().println(title);
        out.fields()
                .forEachRemaining(field -> json.out()
                        .println("  " + field.getKey() + ": "
                                + (field.getValue().isTextual()
                                        ? Printable.text(field.getValue().asText())
                                        : field.getValue())));
    }

    /** What a proof of a certified value says, as fields of JSON. */
    private static final class Proved {
        private Proved() {}

        /** Adds the object, and its value, the elements of a page, or whether one element is in it. */
        static void describe(ObjectNode out, ReadProof proof) {
            out.put("key", proof.read().key());
            out.put("type", proof.read().type());
            ReadPart part = proof.read().part();
            Value element = part == null ? null : part.element();
            List<Value> elements = proof.value() instanceof Value.Sequence sequence ? sequence.items() : List.of();
            if (element != null) {
                out.set("element", ElementArgument.json(element));
                out.put("has", !elements.isEmpty());
            } else if (proof.value() instanceof Value.Int number) {
                out.put("value", number.value());
            } else {
                ArrayNode all = out.putArray("elements");
                elements.forEach(each -> all.add(ElementArgument.json(each)));
                if (part != null) {
                    out.put("page_from", String.valueOf(part.from()));
                }
            }
        }
    }
}
