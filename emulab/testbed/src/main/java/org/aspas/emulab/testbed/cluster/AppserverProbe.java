package org.aspas.emulab.testbed.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.lag.StepDurations;

/**
 * Asks one appserver over its HTTP API.
 *
 * @param base the server's address, such as {@code http://127.0.0.1:8080}
 */
public record AppserverProbe(HttpClient http, URI base) {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /**
     * Where a server stands.
     *
     * @param certificate the newest certificate's number; 0 before the first
     * @param certificateHash its hash; empty before the first
     * @param version the delivered version, as JSON
     * @param certified the certified version, as JSON
     * @param entries how many entries are delivered, of all origins
     */
    public record Standing(long certificate, String certificateHash, String version, String certified, long entries) {
        /** Whether everything that is delivered is certified too. */
        public boolean settled() {
            return certificate > 0 && version.equals(certified);
        }
    }

    /** Whether the server says that it is ready; false too when it cannot be reached. */
    public boolean ready() throws InterruptedException {
        try {
            return get("/readyz").statusCode() == 200;
        } catch (IOException unreachable) {
            return false;
        }
    }

    /**
     * Where the server stands now.
     *
     * @throws IOException when it cannot be reached or its answer cannot be understood
     */
    public Standing standing() throws IOException, InterruptedException {
        JsonNode status = json("/v1/status");
        long number = status.path("certificate").asLong();
        String hash = number == 0
                ? ""
                : json("/v1/certificates/" + number).path("hash").asText();
        return new Standing(
                number,
                hash,
                status.path("version").toString(),
                status.path("certified").toString(),
                sum(status.path("version")));
    }

    /**
     * How long the steps of the certification of the server's own entries took in the last minute.
     *
     * @throws IOException when it cannot be reached or its answer cannot be understood
     */
    public Map<LagStep, DurationFigures> lagSteps() throws IOException, InterruptedException {
        JsonNode gauges = json("/v1/status").path("gauges");
        return StepDurations.read(name -> gauges.path(name).asLong());
    }

    private static long sum(JsonNode numbers) {
        long sum = 0;
        for (JsonNode number : numbers) {
            sum += number.asLong();
        }
        return sum;
    }

    private JsonNode json(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = get(path);
        String body = ServerHttp.text(response);
        if (response.statusCode() != 200) {
            throw new IOException(base + path + " answered " + response.statusCode() + ": " + body);
        }
        return MAPPER.readTree(body);
    }

    private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        try {
            return ServerHttp.get(http, base.resolve(path), TIMEOUT).get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException known ? known : new IOException(failed.getCause());
        }
    }
}
