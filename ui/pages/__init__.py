"""The pages: what stands on each, as Gradio components."""
