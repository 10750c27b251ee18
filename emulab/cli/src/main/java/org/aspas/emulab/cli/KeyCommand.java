package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.aspas.certify.identity.PublicKey;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code aspas key}: a client's key, also before there is a deployment to admit it. */
@Command(
        name = "key",
        description = {
            "Print a client's public key, for 'aspas init --admit'; the key is made on first use.",
            "DIR need not hold a deployment yet."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas key --client alice --dir lab",
            "  aspas init lab --admit \"$(aspas key --client alice --dir lab)\""
        })
final class KeyCommand implements Callable<Integer> {
    @Mixin
    private ClientNameOption client = new ClientNameOption();

    @Mixin
    private DeploymentOption deployment = new DeploymentOption();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws DeploymentDirectory.UnusableDirectory, IOException {
        DeploymentDirectory directory = deployment.directory();
        PublicKey key = directory.clientKey(client.name()).publicKey();
        if (json.wanted()) {
            json.print(new ObjectMapper()
                    .createObjectNode()
                    .put("client", client.name())
                    .put("public_key", key.toString())
                    .put("file", client.keyFile(directory).toString()));
        } else {
            json.out().println(key);
        }
        return ExitCodes.DONE;
    }
}
