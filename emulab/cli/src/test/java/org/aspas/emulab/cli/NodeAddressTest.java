package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.cli.NewDeploymentOptions.NodeAddress;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where {@code aspas init} is told that nodes are. */
class NodeAddressTest {
    @ParameterizedTest
    @CsvSource({
        "eu.example, eu.example, 1, 2, 3",
        "eu.example:7000, eu.example, 7000, 2, 3",
        "10.0.0.1:7000:443, 10.0.0.1, 7000, 443, 3",
        "[2001:db8::1]:7000:443:444, 2001:db8::1, 7000, 443, 444"
    })
    void portsThatAreNotGivenAreTheUsualOnes(String text, String host, int link, int client, int session) {
        NodeAddress address = NodeAddress.of(text);
        assertThat(address.host()).isEqualTo(host);
        assertThat(address.port(0, 1)).isEqualTo(link);
        assertThat(address.port(1, 2)).isEqualTo(client);
        assertThat(address.port(2, 3)).isEqualTo(session);
    }

    @ParameterizedTest
    @CsvSource({
        "'', is not a host",
        ":7000, is not a host",
        "::1, is not a host",
        "[::1, is not a host",
        "a:, outside 1..65535",
        "a:0, outside 1..65535",
        "a:65536, outside 1..65535",
        "a:-1, outside 1..65535",
        "a:7000:7000, names a port twice",
        "a:1:2:3:4, has 4 ports"
    })
    void whatIsNoAddressIsRefused(String text, String why) {
        assertThatThrownBy(() -> NodeAddress.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void theDescriptorHasThePortsThatWereNamed(@TempDir Path directory) throws IOException {
        Path lab = directory.resolve("lab");
        CommandRun init = CommandRun.of("init", lab.toString(), "--appservers", "a:1:2:3,b:1:2,c:1,d");
        assertThat(init.exit()).isEqualTo(ExitCodes.DONE);
        JsonNode nodes = new ObjectMapper()
                .readTree(lab.resolve("deployment.json").toFile())
                .path("nodes");
        assertThat(ports(nodes.get(0))).containsExactly(1, 2, 3);
        assertThat(ports(nodes.get(1))).containsExactly(1, 2, 2001);
        assertThat(ports(nodes.get(2))).containsExactly(1, 1001, 2001);
        assertThat(ports(nodes.get(3))).containsExactly(7103, 8103, 9103);
    }

    /** Brackets are of addresses with ports: a descriptor has them apart. */
    @Test
    void clientsReachAnAddressOfIpv6(@TempDir Path directory) throws Exception {
        Path lab = directory.resolve("lab");
        CommandRun init =
                CommandRun.of("init", lab.toString(), "--tls", "--appservers", "[::1]:1:443,[::1]:2,[::1]:3,[::1]:4");
        assertThat(init.exit()).as(init.errors()).isEqualTo(ExitCodes.DONE);
        NodeDescription node = new DeploymentDirectory(lab).descriptor().node(NodeId.appserver(0));
        assertThat(node.host()).isEqualTo("::1");
        assertThat(node.http()).isEqualTo(URI.create("https://[::1]:443"));
        assertThat(BindAddress.isHere(node)).isTrue();
    }

    private static List<Integer> ports(JsonNode node) {
        return Stream.of("linkPort", "servicePort", "sessionPort")
                .map(name -> node.path(name).asInt())
                .toList();
    }
}
