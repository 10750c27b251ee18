package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class WebOriginsTest {
    @Test
    void whatABrowserNamesIsTaken() {
        WebOrigins origins = WebOrigins.of(List.of(
                "https://example.org",
                "http://localhost:3000",
                "http://127.0.0.1:8080",
                "https://[2001:db8::1]:8443",
                "chrome-extension://abcdefgh",
                "https://example.org"));
        assertThat(origins.list()).hasSize(5);
        assertThat(origins.contains("https://example.org")).isTrue();
        assertThat(origins.contains("http://example.org")).isFalse();
        assertThat(origins.contains("https://example.org:8443")).isFalse();
        assertThat(origins.contains("null")).isFalse();
        assertThat(WebOrigins.NONE.isEmpty()).isTrue();
    }

    @Test
    void whatNoBrowserNamesIsRefusedByName() {
        for (String wrong : List.of(
                "",
                "*",
                "null",
                "example.org",
                "https://example.org/",
                "https://example.org/page",
                "https://Example.org",
                "HTTPS://example.org",
                "https://a b",
                "https://user@example.org",
                "https://example.org:0",
                "https://example.org:123456",
                "https://example.org, https://example.com",
                "https://example.org:443",
                "http://example.org:80")) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> WebOrigins.of(List.of(wrong)))
                    .withMessageContaining("'" + wrong + "'");
        }
        assertThat(WebOrigins.of(List.of("http://example.org:443")).isEmpty()).isFalse();
    }
}
